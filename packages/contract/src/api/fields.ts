export { bindingStatus, chargePeriod } from '../fields.ts';
