package lvms.launcher;

import lvms.launcher.command.Command;
import lvms.tests.docs.Table;

import java.util.stream.Collectors;

/** Every subcommand with its flags, environment variables and exit codes. */
public final class CommandSection {
    private CommandSection() {}

    /** Returns the section of the reference. */
    public static String text() {
        var text =
                new StringBuilder(
                        "## Commands\n\nFlags are read once, at the start. `--name=value`,"
                                + " `--name value` and, for a switch, `--name` are understood, with"
                                + " one dash or two.\n");
        Main.COMMANDS.forEach(command -> command(command, text));
        return text.toString();
    }

    private static void command(Command command, StringBuilder text) {
        text.append("\n### lvms ").append(command.name());
        command.operands().forEach(operand -> text.append(' ').append(operand));
        text.append("\n\n");
        text.append(sentence(command.summary())).append("\n\n");
        flags(command, text);
        variables(command, text);
        var codes = new Table("exit code", "meaning");
        command.exitCodes()
                .forEach(exit -> codes.row(Integer.toString(exit.code()), exit.meaning()));
        text.append(codes);
    }

    private static void flags(Command command, StringBuilder text) {
        var table = new Table("flag", "value", "default", "meaning");
        var listed = command.flags().stream().filter(flag -> !flag.meaning().isEmpty()).toList();
        listed.forEach(
                flag ->
                        table.row(
                                Table.code(flag.text()),
                                flag.kind().meaning(),
                                Table.code(flag.fallback()),
                                flag.meaning()));
        if (!listed.isEmpty()) {
            text.append(table).append('\n');
        }
        var others =
                command.flags().stream()
                        .filter(flag -> flag.meaning().isEmpty())
                        .map(flag -> Table.code(flag.text()))
                        .collect(Collectors.joining(", "));
        if (!others.isEmpty()) {
            text.append("Taken for the sake of TopoLVM's manifests, without effect: ");
            text.append(others).append(".\n\n");
        }
    }

    private static void variables(Command command, StringBuilder text) {
        if (command.variables().isEmpty()) {
            return;
        }
        var table = new Table("environment variable", "required", "meaning");
        command.variables()
                .forEach(
                        variable ->
                                table.row(
                                        Table.code(variable.name()),
                                        variable.required() ? "yes" : "",
                                        variable.meaning()));
        text.append(table).append('\n');
    }

    private static String sentence(String summary) {
        return Character.toUpperCase(summary.charAt(0)) + summary.substring(1) + ".";
    }
}
