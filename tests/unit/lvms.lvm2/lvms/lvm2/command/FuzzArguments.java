package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LvcreateOptions;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/**
 * Makes arguments of any type that the library's methods take: records by their constructors,
 * sealed interfaces by one of their kinds. Each text holds {@link #MARK}, so that it is found again
 * wherever it ends up, and is sometimes a plain name and sometimes an attack.
 */
final class FuzzArguments {
    /** In every text that is made here, and in no command of the library. */
    static final String MARK = "Qz9";

    /** The UUID of whatever there is. */
    static final String UUID = MARK + "abc-0000-1111-2222-3333-4444-abcdef";

    private static final String PLAIN = "abcdefxyz0189";
    private static final String NASTY =
            "-+_.=@#:!&/%*?[]{}()<>|^$;`~\\,'\" \t\n\r"
                    + "\0\u007f\u00e9\u202e\ud83d\ude00-----@@##''\"\"";
    private static final List<String> STARTS =
            List.of("-", "--", "--config=", "-y", "@", "#", "'", "\"", "/", "../", ".", " ", "\n");
    private static final List<Long> NUMBERS =
            List.of(0L, -1L, -512L, 1L, 511L, 513L, Long.MAX_VALUE, Long.MIN_VALUE, 1L << 62);
    private static final List<String> OPTIONS =
            List.of(
                    "--type",
                    "-i",
                    "-I",
                    "--alloc",
                    "--nosync",
                    "-Zn",
                    "-r",
                    "--config",
                    "-n",
                    "raid1");

    private final Random random;
    private final Set<String> optionWords = new HashSet<>();
    private double malice;
    private String lastPath = "/dev/answered";

    FuzzArguments(long seed) {
        random = new Random(seed);
    }

    /** Makes the arguments of a call; most calls have few attacks, so that some get far. */
    Object[] of(Type[] types) throws Exception {
        malice = List.of(0.0, 0.05, 0.2, 0.6).get(random.nextInt(4));
        var arguments = new Object[types.length];
        for (int i = 0; i < types.length; i++) {
            arguments[i] = of(types[i]);
        }
        return arguments;
    }

    /** Returns whether this word was taken as an option that an administrator may give. */
    boolean isAllowedOption(String word) {
        return optionWords.contains(word);
    }

    /** Returns the last path that was made, as far as a report could hold it. */
    String lastPath() {
        return lastPath.replace(':', '_').replaceAll("[^ -~]|[\"\\\\]", "");
    }

    private Object of(Type type) throws Exception {
        if (type instanceof ParameterizedType generic) {
            return container((Class<?>) generic.getRawType(), generic.getActualTypeArguments()[0]);
        }
        if (type instanceof WildcardType wildcard) {
            return of(wildcard.getUpperBounds()[0]);
        }
        var raw = (Class<?>) type;
        if (raw == LvcreateOptions.class) {
            return options();
        }
        if (raw.isRecord()) {
            return record(raw);
        }
        if (raw.isSealed()) {
            var kinds = raw.getPermittedSubclasses();
            return of(kinds[random.nextInt(kinds.length)]);
        }
        if (raw.isEnum()) {
            return raw.getEnumConstants()[random.nextInt(raw.getEnumConstants().length)];
        }
        return raw.isInterface() && raw != Path.class ? silent(raw) : plain(raw);
    }

    private Object plain(Class<?> type) {
        return switch (type.getName()) {
            case "java.lang.String" -> text();
            case "java.nio.file.Path" -> path();
            case "long" -> number();
            case "int" -> small();
            case "double" -> random.nextDouble() * 200 - 50;
            case "boolean" -> random.nextBoolean();
            case "java.time.Duration" -> Duration.ofMillis(random.nextInt(5000) + 500);
            case "java.util.OptionalInt" ->
                    random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(small());
            case "java.util.OptionalLong" ->
                    random.nextBoolean() ? OptionalLong.empty() : OptionalLong.of(number());
            default -> throw new AssertionError("the fuzz test does not know how to make " + type);
        };
    }

    private Object container(Class<?> type, Type element) throws Exception {
        if (type == Identity.class) {
            return new Identity<>(of(element), attack() ? text() : UUID);
        }
        if (type == Optional.class) {
            return random.nextBoolean() ? Optional.empty() : Optional.of(of(element));
        }
        if (!type.isAssignableFrom(List.class) && type != Set.class) {
            return silent(type); // a callback
        }
        var elements = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0 && random.nextInt(10) > 0; i--) {
            elements.add(of(element));
        }
        return type == Set.class ? new HashSet<>(elements) : elements;
    }

    private static Object silent(Class<?> callback) {
        return Proxy.newProxyInstance(
                callback.getClassLoader(), new Class<?>[] {callback}, (_, _, _) -> null);
    }

    private Object record(Class<?> type) throws Exception {
        var components = type.getRecordComponents();
        var types =
                Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new);
        var values = new Object[components.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = of(components[i].getGenericType());
        }
        Constructor<?> constructor = type.getDeclaredConstructor(types);
        constructor.setAccessible(Modifier.isPublic(type.getModifiers()));
        try {
            return constructor.newInstance(values);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private LvcreateOptions options() {
        var words = new ArrayList<String>();
        for (int i = random.nextInt(4); i > 0; i--) {
            words.add(attack() ? text() : OPTIONS.get(random.nextInt(OPTIONS.size())));
        }
        var options = LvcreateOptions.of(words);
        optionWords.addAll(options.words());
        return options;
    }

    private boolean attack() {
        return random.nextDouble() < malice;
    }

    private long number() {
        if (attack()) {
            return NUMBERS.get(random.nextInt(NUMBERS.size()));
        }
        return 1L << (random.nextInt(15) + 16); // 64 KiB to 1 GiB
    }

    private int small() {
        return attack() ? (int) number() : 1 + random.nextInt(8);
    }

    private Path path() {
        var path = Path.of(attack() && random.nextBoolean() ? text() : "/dev/" + text());
        lastPath = path.toString();
        return path;
    }

    /** A plain name; or an attack: any characters, with a start that means something to LVM. */
    String text() {
        if (!attack()) {
            return random.nextInt(8) == 0 ? UUID : MARK + letters(PLAIN, random.nextInt(4));
        }
        var body = letters(random.nextBoolean() ? NASTY : PLAIN, random.nextInt(8));
        int at = random.nextInt(body.length() + 1);
        var marked = body.substring(0, at) + MARK + body.substring(at);
        var start = random.nextBoolean() ? STARTS.get(random.nextInt(STARTS.size())) : "";
        return start + (random.nextInt(40) == 0 ? marked.repeat(100) : marked);
    }

    private String letters(String of, int count) {
        var text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(of.charAt(random.nextInt(of.length())));
        }
        return text.toString();
    }

    int next(int bound) {
        return random.nextInt(bound);
    }
}
