/**
 * What people see of one machine: its volume groups, thin pools and volumes, and what is wrong with
 * them. The commands {@code lvms doctor --local} and {@code lvms volumes --local} print it.
 *
 * <p>{@link lvms.node.doctor.MachineReader} reads the machine, {@link lvms.node.doctor.Diagnosis}
 * judges what was read, and each {@link lvms.api.finding.Finding} says what is wrong and what to
 * do.
 *
 * <pre>{@code
 * var choice = HostLvm.look().choose(Path.of("/run/lvms/lvm"));
 * try (var lvm = LvmCommands.open(choice.options())) {
 *     var reader =
 *             new MachineReader(lvm, choice.options(), choice.reason(), LvmdConfigFile.PATH);
 *     var diagnosis = Diagnosis.of(reader.read());
 *     System.out.print(diagnosis.text());
 *     System.exit(diagnosis.urgent() ? 1 : 0);
 * }
 * }</pre>
 *
 * <p>It only reads: it changes nothing, needs no cluster, and looks at no other machine.
 */
package lvms.node.doctor;
