{{- define "pay.labels" -}}
app.kubernetes.io/name: pay
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end }}

{{- define "pay.image" -}}
{{ .root.Values.image.registry }}pay-{{ .name }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}
{{- end }}

{{/* The account, and a file system and capabilities that are of no use to whoever gets in. */}}
{{- define "pay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}
{{- define "pay.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{/* Whether a program is reached from outside, under which of the hosts, and the services that it calls (docs/ARCHITECTURE.md). In TEST the
     reference of the API sends requests through the console (decisions/console-pages). `inFlight`: of so many requests at
     once, one more replica is wanted: half of what saturates a core in the benches. `bank`: it listens for the banks'
     notifications. `lag`: of callbacks so late
     (decisions/images-and-chart). */}}
{{- define "pay.topology" -}}
gateway: { inFlight: 16, host: api, calls: [payments, bindings, withdrawals, notifier], database: true, broker: false, internet: false, keys: true }
payments: { inFlight: 16, bank: true, calls: [bindings, notifier], database: true, broker: true, internet: true, keys: true }
checkout: { inFlight: 16, host: checkout, calls: [bindings], database: true, broker: false, internet: true, keys: false }
bindings: { calls: [payments], database: true, broker: true, internet: false, keys: true }
withdrawals: { calls: [payments], database: true, broker: true, internet: false, keys: true }
notifier: { lag: 500m, calls: [payments, bindings, withdrawals], database: true, broker: true, internet: true, keys: true }
console: { host: console, calls: [], tries: [{{ if eq .Values.environment "TEST" }}gateway{{ end }}], operates: [gateway, payments, bindings, withdrawals, notifier], database: true, broker: false, internet: true, keys: false }
portal: { host: portal, calls: [], fronts: [gateway], database: false, broker: false, internet: false, keys: false }
{{- end }}
