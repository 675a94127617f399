package lvms.deploy;

import java.io.IOException;
import java.util.List;

/** What gives the operator or the node agent its rights. */
public final class Bindings {
    private Bindings() {}

    /** Runs kubectl with these arguments; throws if it fails. */
    public interface Kubectl {
        String run(String... arguments) throws IOException, InterruptedException;
    }

    /**
     * Takes the rights of an account until the manifests are applied again. The policies let nobody
     * delete a binding as long as there are volume groups.
     */
    public static void empty(Kubectl kubectl, String account)
            throws IOException, InterruptedException {
        for (var kind : List.of("clusterrolebinding", "rolebinding")) {
            kubectl.run(
                    "patch",
                    kind,
                    account,
                    "--namespace=" + Admin.NAMESPACE,
                    "--type=merge",
                    "--patch={\"subjects\":null}");
        }
    }
}
