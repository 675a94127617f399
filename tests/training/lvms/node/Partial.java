package lvms.node;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;

/** An interface of which only the methods are there that are expected to be called. */
final class Partial {
    private Partial() {}

    /** Passes calls on to the methods of {@code part} with the same names and parameters. */
    static <T> T of(Class<T> type, Object part) {
        var proxy =
                Proxy.newProxyInstance(
                        type.getClassLoader(),
                        new Class<?>[] {type},
                        (_, method, arguments) -> call(part, method, arguments));
        return type.cast(proxy);
    }

    private static Object call(Object part, Method method, Object[] arguments) throws Throwable {
        try {
            return part.getClass()
                    .getDeclaredMethod(method.getName(), method.getParameterTypes())
                    .invoke(part, arguments);
        } catch (NoSuchMethodException _) {
            throw new UnsupportedOperationException("not in this bench: " + method);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }
}
