{{/* Names, labels and images. Names, labels and selectors of TopoLVM's side are those of its chart: a selector cannot
change, and a Deployment or DaemonSet with another one could not take the place of what is there. */}}

{{- define "topolvm.name" -}}
{{- default "topolvm" .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "topolvm.fullname" -}}
{{- $name := default "topolvm" .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "topolvm.selectorLabels" -}}
app.kubernetes.io/name: {{ include "topolvm.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "lvms.chartLabels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name (replace "+" "_" .Chart.Version) }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "topolvm.labels" -}}
{{ include "lvms.chartLabels" . }}
{{ include "topolvm.selectorLabels" . }}
{{- end -}}

{{/* The same and users' own, which win: (list root labels). */}}
{{- define "topolvm.labelsAnd" -}}
{{- merge (dict) (last . | default dict) (include "topolvm.labels" (first .) | fromYaml) | toYaml -}}
{{- end -}}

{{- define "topolvm.driver" -}}
{{- if .Values.useLegacy }}topolvm.cybozu.com{{ else }}topolvm.io{{ end -}}
{{- end -}}

{{- define "lvms.image" -}}
{{- $repository := .Values.image.repository | default "localhost/lvms" -}}
{{- $reference := .Values.image.reference | default .Chart.AppVersion | toString -}}
{{- if hasPrefix "sha256:" $reference -}}
{{ $repository }}@{{ $reference }}
{{- else -}}
{{ $repository }}:{{ $reference }}
{{- end -}}
{{- end -}}

{{- define "lvms.pullPolicy" -}}
{{- with .Values.image.pullPolicy }}
imagePullPolicy: {{ . }}
{{- end -}}
{{- end -}}

{{- define "lvms.pullSecrets" -}}
{{- with .Values.image.pullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Where the agent and kubelet keep the driver's socket. */}}
{{- define "topolvm.csiSocket" -}}
{{ include "topolvm.kubelet" . }}/plugins/{{ include "topolvm.driver" . }}/node/csi-topolvm.sock
{{- end -}}

{{- define "topolvm.kubelet" -}}
{{- .Values.node.kubeletWorkDirectory | trimSuffix "/" -}}
{{- end -}}

{{/* The Secret with the webhook's certificate. cert-manager's and ours have names of their own: Helm takes over no
object that another program made. */}}
{{- define "topolvm.webhookSecret" -}}
{{- $name := include "topolvm.fullname" . -}}
{{- if .Values.webhook.certManager -}}
{{ $name }}-mutatingwebhook
{{- else -}}
{{ .Values.webhook.secretName | default (printf "%s-webhook" $name) }}
{{- end -}}
{{- end -}}
