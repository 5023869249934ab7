import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { read } from '../api.ts';
import { Fault, Moment } from '../parts/page.tsx';
import { addPasskey, hasPasskeys, PASSKEYS_PATH, removePasskey, type Passkey } from '../passkeys.ts';
import { t, tx } from '../text.ts';

/** The operator's own passkeys. */
export function Passkeys(): ReactNode {
  const client = useQueryClient();
  const passkeys = useQuery({ queryKey: [PASSKEYS_PATH], queryFn: () => read<readonly Passkey[]>(PASSKEYS_PATH) });
  const onSuccess = () => client.invalidateQueries({ queryKey: [PASSKEYS_PATH] });
  const add = useMutation({ mutationFn: addPasskey, onSuccess });
  const remove = useMutation({ mutationFn: removePasskey, onSuccess });
  return (
    <Paper withBorder p="md" component="section">
      <Title order={2} size="h4" mb="sm">
        {t('Passkeys')}
      </Title>
      <Stack gap="sm" align="start">
        <Text size="sm">
          {t(
            'A passkey signs you in without password and code: your device asks for your fingerprint or PIN. It also works while your account is locked after wrong passwords. You can add one within ten minutes of signing in.',
          )}
        </Text>
        {(passkeys.data ?? []).map(({ id, deviceType, createdAt }) => (
          <Group key={id} gap="sm">
            <Text size="sm">
              {deviceType === 'multiDevice'
                ? tx('synced, since {moment}', { moment: <Moment at={createdAt} /> })
                : tx('on one device, since {moment}', { moment: <Moment at={createdAt} /> })}
            </Text>
            <Button
              size="compact-xs"
              variant="outline"
              color="red"
              onClick={() => {
                remove.mutate(id);
              }}
            >
              {t('Remove')}
            </Button>
          </Group>
        ))}
        <Fault error={add.error ?? remove.error ?? passkeys.error} />
        {hasPasskeys() ? (
          <Button
            loading={add.isPending}
            onClick={() => {
              add.mutate();
            }}
          >
            {t('Add a passkey')}
          </Button>
        ) : (
          <Text size="sm">{t('This browser does not support passkeys here.')}</Text>
        )}
      </Stack>
    </Paper>
  );
}
