package lvms.launcher.flag;

import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The flags of one call, checked as a whole before anything starts. {@code --name=value}, {@code
 * --name value} and, for a switch, {@code --name} are understood, with one dash or two; for a
 * letter also {@code -v4}.
 */
public final class Flags {
    /** How Go reads a boolean, as TopoLVM's programs do. */
    private static final Set<String> TRUE = Set.of("1", "t", "T", "true", "TRUE", "True");

    private static final Set<String> FALSE = Set.of("0", "f", "F", "false", "FALSE", "False");

    private final Map<String, String> values = new HashMap<>();
    private final List<String> operands = new ArrayList<>();

    private Flags() {}

    /** Reads the arguments against the flags that the command takes. */
    public static Flags parse(List<Flag> known, List<String> arguments) throws UsageException {
        return parse(known, List.of(), arguments);
    }

    /** Reads arguments of which some are words without a dash, one for each operand. */
    public static Flags parse(List<Flag> known, List<String> operands, List<String> arguments)
            throws UsageException {
        var flags = new Flags();
        known.forEach(flag -> flags.values.put(flag.name(), flag.fallback()));
        int next = 0;
        while (next < arguments.size()) {
            boolean word = !arguments.get(next).startsWith("-");
            if (word && flags.operands.size() < operands.size()) {
                flags.operands.add(arguments.get(next++));
            } else {
                next = flags.read(known, arguments, next);
            }
        }
        if (flags.operands.size() < operands.size()) {
            throw new UsageException("missing " + operands.get(flags.operands.size()));
        }
        return flags;
    }

    private int read(List<Flag> known, List<String> arguments, int index) throws UsageException {
        var argument = arguments.get(index);
        if (!argument.startsWith("-") || argument.equals("-") || argument.equals("--")) {
            throw new UsageException("unexpected argument \"" + argument + "\"");
        }
        var word = argument.substring(argument.startsWith("--") ? 2 : 1);
        var letter = letter(known, argument);
        if (letter.isPresent()) {
            put(letter.get(), argument.substring(2));
            return index + 1;
        }
        int equals = word.indexOf('=');
        var flag = find(known, equals < 0 ? word : word.substring(0, equals));
        if (equals >= 0) {
            put(flag, word.substring(equals + 1));
            return index + 1;
        }
        if (flag.kind() == Flag.Kind.SWITCH) {
            put(flag, "true");
            return index + 1;
        }
        if (index + 1 == arguments.size()) {
            throw new UsageException("flag " + flag.text() + " needs a value");
        }
        put(flag, arguments.get(index + 1));
        return index + 2;
    }

    /** Returns the flag of a letter whose value follows at once, as in {@code -v4}. */
    private static Optional<Flag> letter(List<Flag> known, String argument) {
        int equals = argument.indexOf('=');
        var word = argument.substring(1, equals < 0 ? argument.length() : equals);
        if (word.length() < 2 || known.stream().anyMatch(flag -> flag.name().equals(word))) {
            return Optional.empty(); // a word, with one dash
        }
        return known.stream()
                .filter(flag -> flag.kind() != Flag.Kind.SWITCH)
                .filter(flag -> flag.name().equals(word.substring(0, 1)))
                .findFirst();
    }

    private static Flag find(List<Flag> known, String name) throws UsageException {
        return known.stream()
                .filter(flag -> flag.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new UsageException("unknown flag --" + name));
    }

    private void put(Flag flag, String value) throws UsageException {
        var complaint = complaint(flag.kind(), value);
        if (complaint.isPresent()) {
            throw new UsageException("flag " + flag.text() + "=" + value + ": " + complaint.get());
        }
        boolean on = flag.kind() == Flag.Kind.SWITCH && TRUE.contains(value);
        values.put(flag.name(), on ? "true" : value);
    }

    private static Optional<String> complaint(Flag.Kind kind, String value) {
        return switch (kind) {
            case TEXT, WORDS -> Optional.empty();
            case SWITCH ->
                    TRUE.contains(value) || FALSE.contains(value)
                            ? Optional.empty()
                            : Optional.of("must be true or false");
            case ADDRESS -> addressComplaint(value);
        };
    }

    private static Optional<String> addressComplaint(String value) {
        if (isNowhere(value)) {
            return Optional.empty();
        }
        int colon = value.lastIndexOf(':');
        if (colon < 0) {
            return Optional.of("must be host:port, :port, or 0 for none");
        }
        var port = value.substring(colon + 1);
        if (ServicePort.of(port).isEmpty()) {
            return Optional.of(
                    "the port "
                            + port
                            + " is neither a number from 0 to 65535 nor the name of a service");
        }
        return socketAddress(value).isUnresolved() ? Optional.of("unknown host") : Optional.empty();
    }

    /**
     * Reads an address that does not come from a flag; empty for {@code 0} and for an empty text.
     *
     * @throws UsageException if it is none
     */
    public static Optional<InetSocketAddress> address(String what, String value)
            throws UsageException {
        var complaint = complaint(Flag.Kind.ADDRESS, value);
        if (complaint.isPresent()) {
            throw new UsageException(what + " " + value + ": " + complaint.get());
        }
        return isNowhere(value) ? Optional.empty() : Optional.of(socketAddress(value));
    }

    private static InetSocketAddress socketAddress(String value) {
        int colon = value.lastIndexOf(':');
        int port = ServicePort.of(value.substring(colon + 1)).orElseThrow();
        var host = value.substring(0, colon);
        return host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port);
    }

    /** A word without a dash, by its place. */
    public String operand(int index) {
        return operands.get(index);
    }

    public String text(String name) {
        return values.get(name);
    }

    /** Whether a switch is on. */
    public boolean on(String name) {
        return values.get(name).equals("true");
    }

    private static boolean isNowhere(String value) {
        return value.equals("0") || value.isEmpty();
    }

    /** The address to listen on; empty for {@code 0} and for an empty text. */
    public Optional<InetSocketAddress> address(String name) {
        var value = values.get(name);
        return isNowhere(value) ? Optional.empty() : Optional.of(socketAddress(value));
    }

    public List<String> words(String name) {
        var value = values.get(name);
        return value.isEmpty() ? List.of() : List.of(value.split(","));
    }
}
