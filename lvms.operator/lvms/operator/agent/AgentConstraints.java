package lvms.operator.agent;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

/** What the agents' pods may ask of their nodes, as OpenShift has it said. */
public final class AgentConstraints {
    /** The type, which only OpenShift has. */
    public static final ResourceType TYPE =
            new ResourceType(
                    "security.openshift.io",
                    "v1",
                    "SecurityContextConstraints",
                    "securitycontextconstraints",
                    false);

    /** The one object that we write. */
    public static final ObjectKey KEY = ObjectKey.cluster("lvms-vgmanager");

    private AgentConstraints() {}
}
