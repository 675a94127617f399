{{/* The agent's pod. */}}

{{/* The configurations of lvmd, by number: each with what it says itself, else what lvmd says of pods in general. Which
nodes it is for, and what is on them, is each one's own. */}}
{{- define "topolvm.configs" -}}
{{- $own := list "nodeSelector" "tolerations" "affinity" "deviceClasses" "lvcreateOptionClasses"
  "additionalLVMDYamlContent" "additionalConfigs" -}}
{{- $configs := list (omit .Values.lvmd "additionalConfigs") -}}
{{- if not .Values.lvmd.managed -}}{{/* then it says nothing of pods */}}
{{- $configs = list (pick .Values.lvmd "socketName" "deviceClasses" "lvcreateOptionClasses"
  "additionalLVMDYamlContent") -}}
{{- else -}}
{{- range .Values.lvmd.additionalConfigs -}}
{{- $base := deepCopy $.Values.lvmd -}}
{{- range $own -}}{{- $_ := unset $base . -}}{{- end -}}
{{- $configs = append $configs (mergeOverwrite $base (deepCopy .)) -}}
{{- end -}}
{{- end -}}
{{- dict "configs" $configs | toYaml -}}
{{- end -}}

{{/* Whether lvmd is in the agent, or a service of the nodes: true or nothing. */}}
{{- define "topolvm.embedded" -}}
{{- if or .Values.lvmd.managed .Values.node.lvmdEmbedded }}true{{ end -}}
{{- end -}}

{{/* DaemonSet of (dict root index config several). The first one has the name and the selector of TopoLVM's node
service, so each pod of that makes room for ours; the others have those of its lvmd. */}}
{{- define "topolvm.agent" -}}
{{- $root := .root -}}
{{- $config := .config -}}
{{- $node := $root.Values.node -}}
{{- $embedded := include "topolvm.embedded" $root -}}
{{- $first := eq .index 0 -}}
{{- $selector := include "topolvm.selectorLabels" $root | fromYaml -}}
{{- if $first -}}
{{- $_ := set $selector "app.kubernetes.io/component" "node" -}}
{{- else -}}
{{- $selector = merge $selector (dict "app.kubernetes.io/component" "lvmd" "idx" (toString .index)) -}}
{{- end -}}
{{- $annotations := dict -}}
{{- if $node.metrics.enabled -}}{{- $annotations = deepCopy ($node.metrics.annotations | default dict) -}}{{- end -}}
{{- $annotations = mergeOverwrite $annotations (deepCopy ($node.podAnnotations | default dict)) -}}
{{- $lvmd := ternary $config dict (eq $embedded "true") -}}
{{- with get ($lvmd.additionalLVMDYamlContent | default dict) "lvm-command-prefix" -}}
{{- $_ := set $annotations "checksum/lvm-command-prefix" (toJson . | sha256sum) -}}
{{- end -}}
{{- $tolerations := $lvmd.tolerations | default list -}}
{{- if not .several -}}{{- $tolerations = concat ($node.tolerations | default list) $tolerations | uniq -}}{{- end -}}
{{- $tolerations = concat $tolerations (include "lvms.startupToleration" $root | fromYamlArray) -}}
{{- $affinity := include "lvms.bothAffinities" (list $node.affinity $lvmd.affinity) | fromYaml -}}
{{- $labels := merge (dict) ($node.labels | default dict) ($lvmd.labels | default dict)
  (include "topolvm.labels" $root | fromYaml) -}}
{{- $podLabels := merge (dict) $selector ($node.podLabels | default dict) ($lvmd.podLabels | default dict) -}}
{{- $security := deepCopy ($lvmd.securityContext | default dict) -}}
{{- range $key, $value := $node.securityContext }}{{ $_ := set $security $key $value }}{{ end -}}
{{- $resources := $root.Values.resources.topolvm_node -}}
{{- if and (not $resources) $root.Values.lvmd.managed -}}{{- $resources = $root.Values.resources.lvmd -}}{{- end -}}
{{- $name := printf "%s-%s" (include "topolvm.fullname" $root) (ternary "node" (printf "lvmd-%d" .index) $first) -}}
{{- $strategy := include "topolvm.agentStrategy" (dict "root" $root "name" $name "first" $first
  "strategy" ($node.updateStrategy | default $lvmd.updateStrategy)) | fromYaml -}}
{{- $beside := include "lvms.containers" (list $node $lvmd "initContainers" "additionalContainers") | fromYaml -}}
{{- $nodeSelector := merge (dict) ($lvmd.nodeSelector | default dict) ($node.nodeSelector | default dict) -}}
{{- if not $first -}}{{- $_ := set $labels "idx" (toString .index) -}}{{- end -}}
apiVersion: apps/v1
kind: DaemonSet
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels: {{- toYaml $labels | nindent 4 }}
spec:
  selector:
    matchLabels: {{- toYaml $selector | nindent 6 }}
  {{- with $strategy }}
  updateStrategy: {{- toYaml . | nindent 4 }}
  {{- end }}
  template:
    metadata:
      labels: {{- toYaml $podLabels | nindent 8 }}
      {{- with $annotations }}
      annotations: {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "topolvm.fullname" $root }}-node
      {{- with include "lvms.pullSecrets" $root | trim }}{{ . | nindent 6 }}{{ end }}
      enableServiceLinks: false
      {{- if $embedded }}
      hostPID: true
      {{- end }}
      {{- with $node.priorityClassName | default $lvmd.priorityClassName }}
      priorityClassName: {{ . }}
      {{- end }}
      securityContext: {{- merge (dict) ($node.podSecurityContext | default dict) (dict "runAsUser" 0) | toYaml
        | nindent 8 }}
      {{- with $beside.initContainers }}
      initContainers: {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: topolvm-node
          image: {{ include "lvms.image" $root | quote }}
          {{- with include "lvms.pullPolicy" $root | trim }}{{ . | nindent 10 }}{{ end }}
          terminationMessagePolicy: FallbackToLogsOnError
          securityContext: {{- toYaml $security | nindent 12 }}
          command:
            - /topolvm-node
            - --own-sidecars
            - --csi-socket={{ include "topolvm.csiSocket" $root }}
            {{- if $embedded }}
            - --embed-lvmd
            {{- else }}
            - --lvmd-socket={{ $node.lvmdSocket }}
            {{- end }}
            {{- with $node.profiling.bindAddress | default (dig "profiling" "bindAddress" "" $lvmd) }}
            - --profiling-bind-address={{ . }}
            {{- end }}
            {{- range concat (include "lvms.lvmdArgs" $lvmd.args | fromYamlArray) ($node.args | default list) }}
            - {{ . | quote }}
            {{- end }}
          env: {{- include "topolvm.agentEnv" (dict "root" $root "lvmd" $lvmd) | nindent 12 }}
          ports:
            - name: healthz
              containerPort: 9808
              protocol: TCP
            - name: metrics
              containerPort: 8080
              protocol: TCP
          livenessProbe:
            httpGet:
              path: /healthz
              port: healthz
            {{- with include "lvms.probe" $root.Values.livenessProbe.topolvm_node | trim }}{{ . | nindent 12 }}{{ end }}
          readinessProbe:
            httpGet:
              path: /readyz
              port: healthz
          {{- with include "lvms.resources" (list $resources 512) | fromYaml }}
          resources: {{- toYaml . | nindent 12 }}
          {{- end }}
          volumeMounts: {{- include "topolvm.agentMounts" (dict "root" $root "lvmd" $lvmd) | nindent 12 }}
        {{- with $beside.additionalContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes: {{- include "topolvm.agentVolumes" (dict "root" $root "lvmd" $lvmd "index" .index) | nindent 8 }}
      {{- with $nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
{{- end -}}

{{/* Of (dict root lvmd). LVM runs modprobe, and the node's modules are seen through its first process. */}}
{{- define "topolvm.agentEnv" -}}
{{- $own := list (dict "name" "NODE_NAME" "valueFrom" (dict "fieldRef" (dict "fieldPath" "spec.nodeName"))) -}}
{{- if .lvmd -}}
{{- $own = append $own (dict "name" "MODPROBE_OPTIONS" "value" "-d /proc/1/root") -}}
{{- end -}}
{{- if .root.Values.useLegacy -}}
{{- $own = append $own (dict "name" "USE_LEGACY" "value" "true") -}}
{{- end -}}
{{- $users := .root.Values.env.topolvm_node | default list -}}
{{- include "lvms.firstOfEach" (list "name" $users (.lvmd.env | default list) $own) -}}
{{- end -}}

{{/* The folders of the node, at the same paths in the pod: (dict root lvmd). */}}
{{- define "topolvm.agentFolders" -}}
{{- $kubelet := include "topolvm.kubelet" .root -}}
{{- $folders := list
  (dict "name" "registration-dir" "path" (printf "%s/plugins_registry" $kubelet) "type" "Directory")
  (dict "name" "node-plugin-dir" "path" (dir (include "topolvm.csiSocket" .root)) "type" "DirectoryOrCreate")
  (dict "name" "csi-plugin-dir" "path" (printf "%s/plugins/kubernetes.io/csi" $kubelet) "type" "DirectoryOrCreate"
    "propagation" "Bidirectional")
  (dict "name" "pod-volumes-dir" "path" (printf "%s/pods" $kubelet) "type" "DirectoryOrCreate"
    "propagation" "Bidirectional")
  (dict "name" "devices-dir" "path" "/dev" "type" "Directory" "propagation" "HostToContainer")
  (dict "name" "file-lock-dir" "path" "/var/lock" "type" "DirectoryOrCreate") -}}
{{- if .lvmd -}}
{{- $folders = concat $folders (list
  (dict "name" "lvm-lock-dir" "path" "/run/lock/lvm" "type" "DirectoryOrCreate")
  (dict "name" "run-udev" "path" "/run/udev" "type" "DirectoryOrCreate" "propagation" "HostToContainer")
  (dict "name" "sys" "path" "/sys" "propagation" "HostToContainer")) -}}
{{- else -}}
{{- $folders = append $folders
  (dict "name" "lvmd-socket-dir" "path" (dir .root.Values.node.lvmdSocket) "type" "Directory") -}}
{{- end -}}
{{- dict "folders" $folders | toYaml -}}
{{- end -}}

{{- define "topolvm.agentMounts" -}}
{{- $own := list -}}
{{- if .lvmd -}}{{- $own = append $own (dict "name" "config" "mountPath" "/etc/topolvm") -}}{{- end -}}
{{- range (include "topolvm.agentFolders" . | fromYaml).folders -}}
{{- $mount := dict "name" .name "mountPath" .path -}}
{{- with .propagation -}}{{- $_ := set $mount "mountPropagation" . -}}{{- end -}}
{{- $own = append $own $mount -}}
{{- end -}}
{{- $users := .root.Values.node.volumeMounts.topolvmNode | default list -}}
{{- include "lvms.firstOfEach" (list "mountPath" $users (.lvmd.volumeMounts | default list) $own) -}}
{{- end -}}

{{- define "topolvm.agentVolumes" -}}
{{- $own := list -}}
{{- $node := .root.Values.node -}}
{{- if .lvmd -}}
{{- $own = append $own
  (dict "name" "config" "configMap" (dict "name" (printf "%s-lvmd-%d" (include "topolvm.fullname" .root) .index))) -}}
{{- end -}}
{{- range (include "topolvm.agentFolders" . | fromYaml).folders -}}
{{- $hostPath := dict "path" .path -}}
{{- with .type -}}{{- $_ := set $hostPath "type" . -}}{{- end -}}
{{- $own = append $own (dict "name" .name "hostPath" $hostPath) -}}
{{- end -}}
{{- include "lvms.firstOfEach" (list "name" ($node.volumes | default list) ($node.additionalVolumes | default list)
  (.lvmd.volumes | default list) (.lvmd.additionalVolumes | default list) $own) -}}
{{- end -}}

{{/* The numbers of a probe that are set. */}}
{{- define "lvms.probe" -}}
{{- range $key, $value := . }}
{{- if not (kindIs "invalid" $value) }}
{{ $key }}: {{ $value }}
{{- end }}
{{- end }}
{{- end -}}
