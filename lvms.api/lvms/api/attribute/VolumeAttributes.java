package lvms.api.attribute;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Attributes of one volume that somebody asks for, or that it has: the mutable parameters of CSI,
 * which a VolumeAttributesClass holds. What is not among them is not touched.
 *
 * @param values canonical values, see {@link VolumeAttribute#grammar}
 */
public record VolumeAttributes(Map<VolumeAttribute, String> values) {
    /** No attribute. */
    public static final VolumeAttributes NONE = new VolumeAttributes(Map.of());

    /** What sidecars add on request to tell the driver for whom a volume is. */
    private static final String OF_CALLERS = "csi.storage.k8s.io/";

    public VolumeAttributes {
        var sorted = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        sorted.putAll(values);
        values = Collections.unmodifiableMap(sorted);
    }

    /**
     * Reads parameters, whose names begin with the name of the driver.
     *
     * @throws VolumeException INVALID_ARGUMENT if one is unknown or has an impossible value
     */
    public static VolumeAttributes of(Driver driver, Map<String, String> parameters)
            throws VolumeException {
        var read = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        for (var parameter : parameters.entrySet()) {
            var key = parameter.getKey();
            if (!key.startsWith(OF_CALLERS)) {
                var attribute = attribute(driver, key);
                read.put(attribute, value(key, attribute, parameter.getValue()));
            }
        }
        return new VolumeAttributes(read);
    }

    private static VolumeAttribute attribute(Driver driver, String key) throws VolumeException {
        var prefix = driver.name() + "/";
        return VolumeAttribute.named(key.startsWith(prefix) ? key.substring(prefix.length()) : "")
                .orElseThrow(
                        () ->
                                invalid(
                                        "parameter "
                                                + key
                                                + " of a volume cannot be changed; "
                                                + Arrays.stream(VolumeAttribute.values())
                                                        .map(a -> prefix + a.text())
                                                        .collect(Collectors.joining(" and "))
                                                + " can"));
    }

    private static String value(String key, VolumeAttribute attribute, String value)
            throws VolumeException {
        return attribute
                .canonical(value)
                .orElseThrow(
                        () ->
                                invalid(
                                        "%s is \"%s\", it has to be %s"
                                                .formatted(key, value, attribute.grammar())));
    }

    /**
     * Reads the form of {@link #text}.
     *
     * @throws VolumeException INVALID_ARGUMENT if this release does not know one of them
     */
    public static VolumeAttributes parse(String text) throws VolumeException {
        var read = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        for (var part : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            var words = part.split("=", 2);
            var attribute =
                    VolumeAttribute.named(words[0])
                            .orElseThrow(
                                    () -> invalid("this node cannot change \"" + words[0] + '"'));
            read.put(attribute, value(words[0], attribute, words.length < 2 ? "" : words[1]));
        }
        return new VolumeAttributes(read);
    }

    /** Returns them as {@code name=value}, joined by commas; the same for equal attributes. */
    public String text() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey().text() + "=" + entry.getValue())
                .collect(Collectors.joining(","));
    }

    public boolean isEmpty() {
        return values.isEmpty();
    }

    /** Returns these, replaced or completed by others. */
    public VolumeAttributes with(VolumeAttributes others) {
        var all = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        all.putAll(values);
        all.putAll(others.values);
        return new VolumeAttributes(all);
    }

    /** Returns those of these names. */
    public VolumeAttributes only(Collection<VolumeAttribute> names) {
        var some = new EnumMap<VolumeAttribute, String>(VolumeAttribute.class);
        some.putAll(values);
        some.keySet().retainAll(names);
        return new VolumeAttributes(some);
    }

    /** Returns whether each of the others is among these, with its value. */
    public boolean include(VolumeAttributes others) {
        return values.entrySet().containsAll(others.values.entrySet());
    }

    private static VolumeException invalid(String text) {
        return new VolumeException(StatusCode.INVALID_ARGUMENT, text);
    }
}
