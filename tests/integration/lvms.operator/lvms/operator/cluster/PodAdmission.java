package lvms.operator.cluster;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * OpenShift's admission of pods, as far as our pods meet it: a pod is accepted if one of the
 * SecurityContextConstraints that its account may use allows all that the pod asks for.
 *
 * @param constraints all SecurityContextConstraints
 * @param firstUser the first user id of the namespace; it has ten thousand
 * @param granted accounts to what their roles let them use
 */
record PodAdmission(
        Collection<KubeObject> constraints, long firstUser, Map<String, List<String>> granted) {
    private static final long USERS = 10_000;

    /** Returns why the pod is refused, one line for each of the constraints. */
    List<String> refusals(ObjectTree pod, String account) {
        var refusals = new ArrayList<String>();
        for (var one : constraints) {
            var wishes = usable(one, account) ? missing(one, pod) : List.of("not for " + account);
            if (wishes.isEmpty()) {
                return List.of();
            }
            refusals.add(one.name() + ": " + String.join(", ", wishes));
        }
        return refusals;
    }

    private boolean usable(KubeObject one, String account) {
        return one.list("users").texts().contains(account)
                || granted.getOrDefault(account, List.of()).contains(one.name())
                || one.list("groups").texts().contains("system:authenticated");
    }

    private List<String> missing(KubeObject one, ObjectTree pod) {
        var missing = new ArrayList<String>();
        allow(one, "allowHostPID", pod.flag("hostPID"), missing);
        allow(one, "allowHostIPC", pod.flag("hostIPC"), missing);
        allow(one, "allowHostNetwork", pod.flag("hostNetwork"), missing);
        for (var volume : pod.objects("volumes")) {
            volume.members().keySet().stream()
                    .filter(kind -> !kind.equals("name"))
                    .filter(kind -> !one.list("volumes").texts().contains(kind))
                    .forEach(kind -> missing.add("volume " + kind));
        }
        user(one, pod.number("securityContext", "runAsUser"), missing);
        for (var container : pod.objects("containers")) {
            user(one, container.number("securityContext", "runAsUser"), missing);
            var privileged = container.flag("securityContext", "privileged");
            allow(one, "allowPrivilegedContainer", privileged, missing);
        }
        return missing;
    }

    private static void allow(
            KubeObject one, String rule, Optional<Boolean> asked, List<String> missing) {
        if (asked.orElse(false) && !one.flag(rule).orElse(false)) {
            missing.add(rule);
        }
    }

    private void user(KubeObject one, OptionalLong asked, List<String> missing) {
        if (asked.isPresent() && !allowed(one, asked.getAsLong())) {
            missing.add("user " + asked.getAsLong() + " is not of the namespace's range");
        }
    }

    private boolean allowed(KubeObject one, long user) {
        return switch (one.text("runAsUser", "type").orElse("")) {
            case "RunAsAny" -> true;
            case "MustRunAsNonRoot" -> user != 0;
            default -> user >= firstUser && user < firstUser + USERS;
        };
    }
}
