package lvms.deploy;

import lvms.tests.cluster.Programs;
import lvms.tests.runner.FullOnly;

/** The policy for node agents, on the newest API server that is supported. */
@FullOnly("OldestPolicyTests have its rules, NodePolicyTests most of them at the newest")
class NewestPolicyTests extends ServedPolicyRules {
    NewestPolicyTests() {
        super(Programs.NEWEST);
    }
}
