package lvms.operator.takeover;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;

import java.util.List;

/** Whose program a workload runs. Operator and agents have the same names on both sides. */
enum Program {
    OURS,
    THEIRS;

    private static final List<String> NAMES = List.of(Names.OPERATOR, "lvms-vgmanager");

    /** Tells by the program that its first container starts. */
    static Program of(KubeObject workload) {
        return workload.objects("spec", "template", "spec", "containers").stream()
                        .limit(1)
                        .flatMap(container -> container.texts("command").stream().limit(1))
                        .anyMatch(Program::isOurs)
                ? OURS
                : THEIRS;
    }

    private static boolean isOurs(String path) {
        return NAMES.contains(path.substring(path.lastIndexOf('/') + 1));
    }
}
