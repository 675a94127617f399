import java.io.IOException;
import java.lang.classfile.Annotation;
import java.lang.classfile.AnnotationValue;
import java.lang.classfile.AttributedElement;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.FieldModel;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.InnerClassInfo;
import java.lang.classfile.attribute.ModuleAttribute;
import java.lang.classfile.constantpool.ClassEntry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Says what javac sees of compiled classes when it compiles others against them, so that those are
 * compiled again only if that changed. Argument: the folder of a module or a tree of tests. It
 * prints two lines, each a SHA-256:
 *
 * <ul>
 *   <li>what a module above sees: the public and protected members of the packages that the module
 *       exports;
 *   <li>what a class on the same class path sees: all but private members.
 * </ul>
 *
 * <p>Both hold what a signature leads to (a superclass that is not exported gives its members to
 * the class that is), the values of constants, which javac copies, and annotations. Neither holds
 * bodies of methods, private members, or what javac made by itself.
 */
final class Fingerprint {
    /** A class in a descriptor or in a generic signature. */
    private static final Pattern NAME = Pattern.compile("L([^;<>:]+)");

    private static final int PUBLIC_OR_PROTECTED = ClassFile.ACC_PUBLIC | ClassFile.ACC_PROTECTED;

    /** What is no part of a method's contract. */
    private static final int BODY =
            ClassFile.ACC_SYNCHRONIZED | ClassFile.ACC_NATIVE | ClassFile.ACC_STRICT;

    private final Map<String, ClassModel> classes;

    private Fingerprint(Map<String, ClassModel> classes) {
        this.classes = classes;
    }

    public static void main(String[] args) throws IOException {
        var classes = new TreeMap<String, ClassModel>();
        try (var files = Files.walk(Path.of(args[0]))) {
            for (var file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
                var model = ClassFile.of().parse(file);
                classes.put(model.thisClass().asInternalName(), model);
            }
        }
        var fingerprint = new Fingerprint(classes);
        var module =
                Optional.ofNullable(classes.get("module-info"))
                        .flatMap(info -> info.findAttribute(Attributes.module()));
        System.out.println(module.map(fingerprint::exported).orElseGet(fingerprint::visible));
        System.out.println(fingerprint.visible());
    }

    /** Returns what modules above see. */
    private String exported(ModuleAttribute module) {
        var packages =
                module.exports().stream()
                        .map(e -> e.exportedPackage().name().stringValue())
                        .collect(Collectors.toSet());
        Predicate<ClassModel> root =
                model -> packages.contains(packageOf(model)) && isPublic(model);
        return sha256(text(module) + describe(root, Fingerprint::isExported));
    }

    /** Returns what a class on the same class path sees. */
    private String visible() {
        return sha256(describe(model -> !isHidden(model), flags -> !isPrivate(flags)));
    }

    /** A package-private abstract method keeps classes elsewhere from extending its class. */
    private static boolean isExported(int flags) {
        return (flags & PUBLIC_OR_PROTECTED) != 0
                || (flags & ClassFile.ACC_ABSTRACT) != 0 && !isPrivate(flags);
    }

    private static boolean isPrivate(int flags) {
        return (flags & ClassFile.ACC_PRIVATE) != 0;
    }

    /** Describes the classes that pass the test, and those that they lead to, in a fixed order. */
    private String describe(Predicate<ClassModel> root, Predicate<Integer> member) {
        var described = new TreeMap<String, String>();
        var open = new ArrayDeque<String>();
        classes.values().stream()
                .filter(root)
                .forEach(model -> open.add(model.thisClass().asInternalName()));
        while (!open.isEmpty()) {
            var name = open.remove();
            var model = classes.get(name);
            if (model != null && !described.containsKey(name)) {
                var text = describe(model, member);
                described.put(name, text);
                NAME.matcher(text).results().forEach(found -> open.add(found.group(1)));
            }
        }
        return String.join("\n", described.values());
    }

    private static String describe(ClassModel model, Predicate<Integer> member) {
        var lines = new TreeSet<String>();
        for (var field : model.fields()) {
            int flags = field.flags().flagsMask();
            if (member.test(flags) && (flags & ClassFile.ACC_SYNTHETIC) == 0) {
                lines.add(text(field, flags));
            }
        }
        for (var method : model.methods()) {
            int flags = method.flags().flagsMask();
            boolean made = (flags & ClassFile.ACC_SYNTHETIC) != 0;
            if (member.test(flags) && !made && !method.methodName().equalsString("<clinit>")) {
                lines.add(text(method, flags & ~BODY));
            }
        }
        return text(model) + "\n" + String.join("\n", lines);
    }

    private static String text(ClassModel model) {
        var components =
                model.findAttribute(Attributes.record()).stream()
                        .flatMap(record -> record.components().stream())
                        .map(c -> c.name() + " " + c.descriptor() + attributes(c))
                        .toList();
        var permitted =
                model.findAttribute(Attributes.permittedSubclasses()).stream()
                        .flatMap(attribute -> attribute.permittedSubclasses().stream())
                        .map(Fingerprint::text)
                        .toList();
        return "class %s %x extends %s implements %s record %s permits %s%s"
                .formatted(
                        text(model.thisClass()),
                        flags(model) & ~ClassFile.ACC_SUPER,
                        model.superclass().map(Fingerprint::text).orElse("-"),
                        model.interfaces().stream().map(Fingerprint::text).toList(),
                        components,
                        permitted,
                        attributes(model));
    }

    private static String text(FieldModel field, int flags) {
        var constant =
                field.findAttribute(Attributes.constantValue())
                        .map(value -> value.constant().constantValue());
        return "field %x %s %s = %s%s"
                .formatted(
                        flags,
                        field.fieldName(),
                        field.fieldType(),
                        constant.map(Object::toString).orElse("-"),
                        attributes(field));
    }

    private static String text(MethodModel method, int flags) {
        var thrown =
                method.findAttribute(Attributes.exceptions()).stream()
                        .flatMap(exceptions -> exceptions.exceptions().stream())
                        .map(Fingerprint::text)
                        .toList();
        var byDefault =
                method.findAttribute(Attributes.annotationDefault())
                        .map(attribute -> text(attribute.defaultValue()));
        return "method %x %s %s throws %s default %s%s"
                .formatted(
                        flags,
                        method.methodName(),
                        method.methodType(),
                        thrown,
                        byDefault.orElse("-"),
                        attributes(method));
    }

    private static String text(ModuleAttribute module) {
        var lines = new TreeSet<String>();
        module.requires().forEach(part -> lines.add(part.toString()));
        module.exports().forEach(part -> lines.add(part.toString()));
        module.opens().forEach(part -> lines.add(part.toString()));
        return "module %s %s%n".formatted(module.moduleName(), lines);
    }

    /** As in a descriptor, so that one pattern finds the classes in all that is described. */
    private static String text(ClassEntry entry) {
        return "L" + entry.asInternalName() + ";";
    }

    /** Those that all elements may have. Nothing that compiles reads parameters' annotations. */
    private static String attributes(AttributedElement element) {
        var found = new ArrayList<String>();
        element.findAttribute(Attributes.signature())
                .ifPresent(attribute -> found.add(attribute.signature().stringValue()));
        element.findAttribute(Attributes.deprecated()).ifPresent(_ -> found.add("deprecated"));
        element.findAttribute(Attributes.runtimeVisibleAnnotations())
                .ifPresent(attribute -> attribute.annotations().forEach(a -> found.add(text(a))));
        element.findAttribute(Attributes.runtimeInvisibleAnnotations())
                .ifPresent(attribute -> attribute.annotations().forEach(a -> found.add(text(a))));
        return " " + found;
    }

    private static String text(Annotation annotation) {
        return annotation.elements().stream()
                        .map(element -> element.name() + "=" + text(element.value()))
                        .toList()
                + "@"
                + annotation.className();
    }

    private static String text(AnnotationValue value) {
        return switch (value) {
            case AnnotationValue.OfAnnotation nested -> text(nested.annotation());
            case AnnotationValue.OfArray array ->
                    array.values().stream().map(Fingerprint::text).toList().toString();
            case AnnotationValue.OfClass type -> type.className().stringValue();
            case AnnotationValue.OfConstant constant -> "" + constant.resolvedValue();
            case AnnotationValue.OfEnum constant ->
                    constant.className() + "." + constant.constantName();
        };
    }

    private static String packageOf(ClassModel model) {
        var name = model.thisClass().asInternalName();
        return name.substring(0, Math.max(0, name.lastIndexOf('/')));
    }

    /** What the source says of a nested class, whose file has other flags. */
    private static int flags(ClassModel model) {
        return nesting(model)
                .map(InnerClassInfo::flagsMask)
                .orElseGet(() -> model.flags().flagsMask());
    }

    private static Optional<InnerClassInfo> nesting(ClassModel model) {
        return model.findAttribute(Attributes.innerClasses()).stream()
                .flatMap(inner -> inner.classes().stream())
                .filter(info -> info.innerClass().equals(model.thisClass()))
                .findFirst();
    }

    private Optional<ClassModel> outer(ClassModel model) {
        return nesting(model)
                .flatMap(InnerClassInfo::outerClass)
                .map(entry -> classes.get(entry.asInternalName()));
    }

    /** Whether only its own file can name it: it is local, anonymous or in something private. */
    private boolean isHidden(ClassModel model) {
        return model.findAttribute(Attributes.enclosingMethod()).isPresent()
                || isPrivate(flags(model))
                || outer(model).filter(this::isHidden).isPresent();
    }

    private boolean isPublic(ClassModel model) {
        return !isHidden(model)
                && (flags(model) & PUBLIC_OR_PROTECTED) != 0
                && outer(model).stream().allMatch(this::isPublic);
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var bytes = text.getBytes(StandardCharsets.UTF_8);
            return HexFormat.of().formatHex(digest.digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }
}
