package lvms.tests.lab.kubelet;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** A container of a pod as a program with environment and mounts. */
record PodContainer(KubeObject pod, ObjectTree spec) {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\(([A-Za-z_.-][A-Za-z0-9_.-]*)\\)");

    /** A folder, file or device that the container sees at a path. */
    record Mount(String source, String target, boolean readOnly, boolean shared) {}

    String name() {
        return spec.at("name").asText();
    }

    String image() {
        return spec.at("image").asText();
    }

    boolean privileged() {
        return spec.flag("securityContext", "privileged").orElse(false);
    }

    /** Command and arguments, with the variables of the environment put in. */
    List<String> commandLine(Map<String, String> environment) {
        var words = new ArrayList<String>();
        for (var field : List.of("command", "args")) {
            if (spec.has(field)) {
                spec.at(field)
                        .asList()
                        .forEach(word -> words.add(expand(word.asText(), environment)));
            }
        }
        if (words.isEmpty()) {
            throw new IllegalArgumentException(
                    pod.key() + ": the lab's images have no command of their own");
        }
        return words;
    }

    private static String expand(String word, Map<String, String> environment) {
        return VARIABLE.matcher(word)
                .replaceAll(
                        match ->
                                java.util.regex.Matcher.quoteReplacement(
                                        environment.getOrDefault(match.group(1), match.group())));
    }

    /** The variables of the container; a source that the lab does not know is refused. */
    Map<String, String> environment(String nodeName, String address) {
        var result = new LinkedHashMap<String, String>();
        if (spec.has("env")) {
            for (var element : spec.at("env").asList()) {
                var variable = element.asObject();
                var value =
                        variable.has("valueFrom")
                                ? field(variable.at("valueFrom").asObject(), nodeName, address)
                                : variable.has("value") ? variable.at("value").asText() : "";
                result.put(variable.at("name").asText(), expand(value, result));
            }
        }
        return result;
    }

    private String field(ObjectTree source, String nodeName, String address) {
        if (source.has("resourceFieldRef")) {
            return "0";
        }
        if (!source.has("fieldRef")) {
            throw new IllegalArgumentException(
                    pod.key() + ": no value from " + source.members().keySet());
        }
        var path = source.at("fieldRef", "fieldPath").asText();
        return switch (path) {
            case "metadata.name" -> pod.name();
            case "metadata.namespace" -> pod.namespace();
            case "metadata.uid" -> pod.uid();
            case "spec.nodeName" -> nodeName;
            case "spec.serviceAccountName" ->
                    pod.text("spec", "serviceAccountName").orElse("default");
            case "status.podIP", "status.hostIP" -> address;
            default -> throw new IllegalArgumentException(pod.key() + ": no value from " + path);
        };
    }

    /** The volume mounts and devices, with the sources that the pod's volumes have. */
    List<Mount> mounts(Map<String, String> sources) {
        var result = new ArrayList<Mount>();
        if (spec.has("volumeMounts")) {
            for (var element : spec.at("volumeMounts").asList()) {
                result.add(mount(element.asObject(), sources));
            }
        }
        return result;
    }

    private Mount mount(ObjectTree mount, Map<String, String> sources) {
        var source = sources.get(mount.at("name").asText());
        var propagation =
                mount.has("mountPropagation") ? mount.at("mountPropagation").asText() : "None";
        boolean shared = propagation.equals("Bidirectional");
        if (shared && !privileged()) {
            throw new IllegalArgumentException(
                    pod.key()
                            + ": Bidirectional mount propagation is available only to privileged"
                            + " containers");
        }
        var below = mount.has("subPath") ? "/" + mount.at("subPath").asText() : "";
        boolean readOnly = mount.has("readOnly") && mount.at("readOnly").flag().orElseThrow();
        return new Mount(source + below, trim(mount.at("mountPath").asText()), readOnly, shared);
    }

    private static String trim(String path) {
        return path.length() > 1 && path.endsWith("/")
                ? path.substring(0, path.length() - 1)
                : path;
    }

    List<Mount> devices(Map<String, String> sources) {
        var result = new ArrayList<Mount>();
        if (spec.has("volumeDevices")) {
            for (var element : spec.at("volumeDevices").asList()) {
                var device = element.asObject();
                result.add(
                        new Mount(
                                sources.get(device.at("name").asText()),
                                device.at("devicePath").asText(),
                                false,
                                false));
            }
        }
        return result;
    }
}
