import { Button, FileButton, Group, Text } from '@mantine/core';
import { useState, type ReactNode } from 'react';
import type { PartnerStore } from '@pay/contract/operator/stores.ts';
import { Fault } from '../parts/page.tsx';
import { useAct } from '../parts/use-act.ts';
import { useMay } from '../session.ts';
import { t } from '../text.ts';

const DATA_URL = 'data:image/png;base64,';

/** The logo of a store. A chosen file is shown before it is saved; the service checks it. */
export function Logo({ store }: { readonly store: PartnerStore }): ReactNode {
  const { storeId, partnerId, name, logo } = store;
  const may = useMay();
  const [chosen, setChosen] = useState<string>();
  const change = useAct<object>(
    [['/api/payments/stores', partnerId]],
    () => {
      setChosen(undefined);
    },
    'PUT',
  );
  const save = (png: string | null) => {
    change.mutate({ path: `/api/payments/stores/${encodeURIComponent(storeId)}/logo`, body: { png } });
  };
  const said = logo === null ? t('no logo') : t('{width} × {height} pixels, {bytes} bytes', { width: String(logo.width), height: String(logo.height), bytes: String(logo.bytes) }); // prettier-ignore
  return (
    <Group gap="xs" my="xs">
      <Text size="xs">{t('Logo on the payment page: {said}', { said })}</Text>
      {may('stores.capabilities') ? (
        <>
          <FileButton
            accept="image/png"
            onChange={(file) => {
              if (file !== null) void dataUrlOf(file).then(setChosen);
            }}
          >
            {(props) => (
              <Button
                {...props}
                size="compact-xs"
                variant="default"
                aria-label={t('Choose a PNG as the logo of {store}', { store: name })}
              >
                {t('Choose a PNG')}
              </Button>
            )}
          </FileButton>
          {logo === null ? null : (
            <Button
              size="compact-xs"
              variant="default"
              aria-label={t('Remove the logo of {store}', { store: name })}
              loading={change.isPending}
              onClick={() => {
                save(null);
              }}
            >
              {t('Remove')}
            </Button>
          )}
        </>
      ) : null}
      {chosen === undefined ? null : (
        <>
          <img src={chosen} alt={t('The chosen logo')} height={36} />
          <Button
            size="compact-xs"
            loading={change.isPending}
            onClick={() => {
              save(chosen.slice(DATA_URL.length));
            }}
          >
            {t('Save')}
          </Button>
        </>
      )}
      <Fault error={change.error} />
    </Group>
  );
}

/** A file as an address that the page may show, whatever the browser takes it for. */
async function dataUrlOf(file: File): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  return `${DATA_URL}${btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))}`;
}
