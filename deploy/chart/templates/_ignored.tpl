{{/* What the notes after an installation say of values that have no effect, one line each. */}}

{{- define "lvms.ignored" -}}
{{- $values := .Values -}}
{{- $defaults := .Files.Get "defaults.yaml" | fromYaml -}}
{{- $of := ternary "topolvm.ignored" "lvms.ignoredOperator" (eq (include "lvms.mode" .) "topolvm") -}}
{{- range $why, $paths := include $of . | fromYaml -}}
{{- range $paths -}}
{{- if include "lvms.changed" (list $values $defaults .) }}
  {{ . }}: {{ $why }}
{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Whether the value at a path differs from the chart's own: true or nothing. Of (list values defaults path). */}}
{{- define "lvms.changed" -}}
{{- $set := index . 0 -}}
{{- $own := index . 1 -}}
{{- range splitList "." (index . 2) -}}
{{- if kindIs "map" $set -}}{{- $set = index $set . -}}{{- else -}}{{- $set = dict -}}{{- end -}}
{{- if kindIs "map" $own -}}{{- $own = index $own . -}}{{- else -}}{{- $own = dict -}}{{- end -}}
{{- end -}}
{{- if and (or $set $own) (ne (toJson $set) (toJson $own)) }}true{{ end -}}
{{- end -}}

{{/* Paths of values by the reason for which they have no effect. */}}
{{- define "topolvm.ignored" -}}
{{- $node := .Values.node -}}
{{- $lvmd := .Values.lvmd -}}
{{- $embedded := include "topolvm.embedded" . -}}
{{- $sidecars := list "csi_registrar" "liveness_probe" "csi_provisioner" "csi_resizer" "csi_snapshotter" -}}
{{- $paths := list "image.csi" "livenessProbe.csi_registrar" "livenessProbe.lvmd" -}}
{{- range $sidecars -}}
{{- $paths = concat $paths (list (printf "resources.%s" .) (printf "env.%s" .)) -}}
{{- end -}}
{{- $ignored := dict "no container has this work any more" $paths
  "with mode topolvm" (list "lvms") -}}
{{- if $embedded -}}
{{- $_ := set $ignored "lvmd is in the agents, which neither open a socket for it nor ask one"
  (list "lvmd.socketName" "node.lvmdSocket") -}}
{{- end -}}
{{- if $lvmd.managed -}}
{{- $_ := set $ignored "with lvmd.managed, lvmd is in the agents anyway" (list "node.lvmdEmbedded") -}}
{{- $_ := set $ignored "the agents have one page for metrics, node.metrics says how it is found"
  (list "lvmd.metrics") -}}
{{- range $key, $value := dict "priorityClassName" $node.priorityClassName "updateStrategy" $node.updateStrategy
  "profiling" $node.profiling.bindAddress -}}
{{- if $value -}}
{{- $_ := set $ignored (printf "the agents have that of node.%s" $key) (list (printf "lvmd.%s" $key)) -}}
{{- end -}}
{{- end -}}
{{- range $key := keys ($node.securityContext | default dict) | sortAlpha -}}
{{- $_ := set $ignored (printf "the agents have that of node.securityContext.%s" $key)
  (list (printf "lvmd.securityContext.%s" $key)) -}}
{{- end -}}
{{- if .Values.resources.topolvm_node -}}
{{- $_ := set $ignored "the agents have that of resources.topolvm_node" (list "resources.lvmd") -}}
{{- end -}}
{{- if $lvmd.additionalConfigs -}}
{{- $_ := set $ignored "each of several agents has the tolerations of its lvmd" (list "node.tolerations") -}}
{{- end -}}
{{- else -}}
{{- $used := ternary (list "managed" "deviceClasses" "lvcreateOptionClasses" "additionalLVMDYamlContent" "prometheus"
  "socketName") (list "managed" "prometheus") (eq $embedded "true") -}}
{{- $rest := list "resources.lvmd" -}}
{{- range $key := keys $lvmd | sortAlpha -}}
{{- if not (has $key $used) -}}{{- $rest = append $rest (printf "lvmd.%s" $key) -}}{{- end -}}
{{- end -}}
{{- $_ := set $ignored "lvmd.managed is false" $rest -}}
{{- end -}}
{{- $ignored | toYaml -}}
{{- end -}}

{{- define "lvms.ignoredOperator" -}}
{{- $used := list "_begun" "mode" "global" "crd" "image" "crossNamespaceVolumeDataSource" "lvms" -}}
{{- $paths := list "image.csi" -}}
{{- range $key := keys .Values | sortAlpha -}}
{{- if not (has $key $used) -}}{{- $paths = append $paths $key -}}{{- end -}}
{{- end -}}
{{- dict "with mode lvms" $paths | toYaml -}}
{{- end -}}

{{/* What is wrong with values that are honoured, one line each. */}}
{{- define "topolvm.doubts" -}}
{{- range $name, $floor := dict "topolvm_node" 512 "lvmd" 512 "topolvm_controller" 256 -}}
{{- with dig "limits" "memory" "" (get $.Values.resources $name | default dict) -}}
{{- if lt (include "lvms.mebibytes" . | int) $floor }}
  resources.{{ $name }}.limits.memory is {{ . }}, and {{ $floor }}Mi was taken: the process needs that much
{{- end -}}
{{- end -}}
{{- end -}}
{{- $controller := .Values.controller -}}
{{- if and (not $controller.leaderElection.enabled) (gt (int64 ($controller.replicaCount | default 1)) 1) }}
  controller.leaderElection.enabled is false with {{ $controller.replicaCount }} replicas, which would all do the same
  work: set controller.replicaCount to 1 and controller.updateStrategy.type to Recreate
{{- end -}}
{{- if .Values.lvmd.managed -}}
{{- $configs := (include "topolvm.configs" . | fromYaml).configs -}}
{{- range $index, $config := $configs -}}
{{- $args := $config.args | default list -}}
{{- if ne (len $args) (len (include "lvms.lvmdArgs" $args | fromYamlArray)) }}
  lvmd.args{{ if $index }} of additionalConfigs{{ end }}: --config, --container and --metrics-bind-address are left out
{{- end -}}
{{- end -}}
{{- include "topolvm.disagreements" $configs -}}
{{- end -}}
{{- end -}}

{{/* Where the files of several nodes do not mean the same, as the agents say it of a folder of files. */}}
{{- define "topolvm.disagreements" -}}
{{- $defaults := list -}}
{{- $kinds := dict -}}
{{- range . -}}
{{- $default := "none" -}}
{{- range .deviceClasses -}}
{{- if .default -}}{{- $default = .name -}}{{- end -}}
{{- $kind := ternary "thin" "thick" (eq (.type | default "") "thin") -}}
{{- $_ := set $kinds .name (append (get $kinds .name | default list) $kind | uniq) -}}
{{- end -}}
{{- $defaults = append $defaults $default | uniq -}}
{{- end -}}
{{- if gt (len $defaults) 1 }}
  lvmd.additionalConfigs: the default device class is {{ join " but " $defaults }}: a volume without a class depends on
  its node
{{- end -}}
{{- range $name, $kind := $kinds -}}
{{- if gt (len $kind) 1 }}
  lvmd.additionalConfigs: device class {{ $name }} is {{ join " but " $kind }}: only thin volumes have snapshots
{{- end -}}
{{- end -}}
{{- end -}}
