package lvms.operator.takeover.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** NativeStor's workloads are told by the programs that they start, in all of its releases. */
class StorWorkloadsTests {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {command: [/topolvm], args: [operator]}                   | OPERATOR
                    {command: [/topolvm, operator]}                           | OPERATOR
                    {command: [/topolvm, discover]}                           | DISCOVERY
                    {command: [/topolvm-controller, --cert-dir=/certs]}       | CONTROLLER
                    {command: [/raw-device-provisioner]}                      | CONTROLLER
                    {command: [/raw-device, raw-device-plugin]}               | NODE
                    {command: [/raw-device-plugin]}                           | NODE
                    {command: [/lvmd]}, {command: [/topolvm-node]}            | NODE
                    {command: [/topolvm, prepareVg]}                          | ''
                    {command: [/opt/lvms/bin/lvms-operator]}                  | ''
                    {command: [/lvms, operator]}                              | ''
                    {args: [--csi-address=/run/topolvm/csi-topolvm.sock]}     | ''
                    """)
    void aWorkloadHasTheRoleOfItsPrograms(String containers, String role) throws Exception {
        var workload =
                KubeObject.of(
                        Yaml.read("spec: {template: {spec: {containers: [" + containers + "]}}}")
                                .asObject());
        assertEquals(role, StorWorkloads.roleOf(workload).map(StorWorkloads.Role::name).orElse(""));
    }
}
