// The tables of this service: none yet. Its schema has clock_now().
export {};
