{{/* Arithmetic on lists and quantities. Each prints YAML that the caller parses. */}}

{{/* The first element of each name wins. Of (list key list...). */}}
{{- define "lvms.firstOfEach" -}}
{{- $key := first . -}}
{{- $seen := dict -}}
{{- $out := list -}}
{{- range $items := rest . -}}
{{- range $item := $items -}}
{{- $name := get $item $key | trimSuffix "/" -}}
{{- if not (hasKey $seen $name) -}}
{{- $_ := set $seen $name true -}}
{{- $out = append $out $item -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- toYaml $out -}}
{{- end -}}

{{/* Both affinities at once: (list one other). Terms of nodes are alternatives, so each of one is joined to each of
the other; of what else both say, the second counts. */}}
{{- define "lvms.bothAffinities" -}}
{{- $one := first . | default dict -}}
{{- $other := last . | default dict -}}
{{- $both := mergeOverwrite (deepCopy $one) (deepCopy $other) -}}
{{- $required := "requiredDuringSchedulingIgnoredDuringExecution" -}}
{{- $terms := list -}}
{{- range $a := dig "nodeAffinity" $required "nodeSelectorTerms" list $one -}}
{{- range $b := dig "nodeAffinity" $required "nodeSelectorTerms" list $other -}}
{{- $term := dict -}}
{{- range $part := list "matchExpressions" "matchFields" -}}
{{- with concat (get $a $part | default list) (get $b $part | default list) -}}
{{- $_ := set $term $part . -}}
{{- end -}}
{{- end -}}
{{- $terms = append $terms $term -}}
{{- end -}}
{{- end -}}
{{- if $terms -}}
{{- $_ := set $both.nodeAffinity $required (dict "nodeSelectorTerms" $terms) -}}
{{- end -}}
{{- toYaml $both -}}
{{- end -}}

{{/* Whole MiB of a quantity such as 200Mi or 1G, rounded up; of a form that is not known, a number above each
floor. */}}
{{- define "lvms.mebibytes" -}}
{{- $units := dict "" 1 "k" 1000 "M" 1000000 "G" 1000000000 "T" 1000000000000 "Ki" 1024 "Mi" 1048576
  "Gi" 1073741824 "Ti" 1099511627776 -}}
{{- $text := kindIs "string" . | ternary . (printf "%.0f" (float64 .)) -}}
{{- if regexMatch "^[0-9]+([kMGT]|[KMGT]i)?$" $text -}}
{{- $number := regexFind "^[0-9]+" $text | int64 -}}
{{- $unit := get $units (regexReplaceAll "^[0-9]+" $text "") | int64 -}}
{{- div (add (mul $number $unit) 1048575) 1048576 -}}
{{- else -}}
1048576
{{- end -}}
{{- end -}}

{{/* Resources whose memory limit is at least as many Mi: (list resources floor). A process of a JVM that is stopped for
a limit meant for a Go program would be stopped again and again, an agent perhaps while a device is suspended. */}}
{{- define "lvms.resources" -}}
{{- $resources := deepCopy (first . | default dict) -}}
{{- $floor := last . -}}
{{- $limit := dig "limits" "memory" "" $resources -}}
{{- if $limit -}}
{{- if lt (include "lvms.mebibytes" $limit | int) $floor -}}
{{- $_ := set $resources.limits "memory" (printf "%dMi" $floor) -}}
{{- end -}}
{{- end -}}
{{- toYaml $resources -}}
{{- end -}}

{{/* Arguments of lvmd that the agent takes as well; a value may be a word of its own. */}}
{{- define "lvms.lvmdArgs" -}}
{{- $out := list -}}
{{- $value := false -}}
{{- range . -}}
{{- if $value -}}
{{- $value = false -}}
{{- else if regexMatch "^--(config|container|metrics-bind-address)(=.*)?$" . -}}
{{- $value = has . (list "--config" "--metrics-bind-address") -}}
{{- else -}}
{{- $out = append $out . -}}
{{- end -}}
{{- end -}}
{{- toYaml $out -}}
{{- end -}}

{{/* Containers that users put beside the agent, for node and lvmd: (list node lvmd part...). One pod has each name
once, so the same container counts once, and two of one name cannot be meant. */}}
{{- define "lvms.containers" -}}
{{- $seen := dict "topolvm-node" "" -}}
{{- $out := dict -}}
{{- range $part := rest (rest .) -}}
{{- $containers := list -}}
{{- range concat (get (index $ 0) $part | default list) (get (index $ 1) $part | default list) -}}
{{- $this := toJson . -}}
{{- if not (hasKey $seen .name) -}}
{{- $_ := set $seen .name $this -}}
{{- $containers = append $containers . -}}
{{- else if ne (get $seen .name) $this -}}
{{- fail (printf "%s: container %s is there twice with different content, and node and lvmd are one pod here; give one of them another name" $part .name) -}}
{{- end -}}
{{- end -}}
{{- $_ := set $out $part $containers -}}
{{- end -}}
{{- toYaml $out -}}
{{- end -}}
