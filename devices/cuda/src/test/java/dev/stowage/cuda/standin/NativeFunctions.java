package dev.stowage.cuda.standin;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.AddressLayout;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Methods as functions of a native library, which any thread can call until {@link #close}.
 *
 * <p>A function has the name and the parameters of its method. It returns the code of the {@link
 * CallFailure} that the method throws, or 0. One call runs at a time.
 *
 * <p>Any other exception is a mistake of the stand-in or its caller, such as a pointer that is not
 * aligned. It must not leave the upcall, because the JVM would exit. The function returns {@link
 * Result#UNKNOWN}, and {@link #mistakes} has the exception.
 */
final class NativeFunctions implements SymbolLookup, AutoCloseable {

  private static final MethodHandle CALL = callHandle();
  private static final AddressLayout POINTER = pointer();

  private record Function(Object owner, Method method) {}

  private final FailurePlan failures;
  private final Object lock;
  private final Map<String, Function> functions = new HashMap<>();
  private final Map<String, MemorySegment> stubs = new HashMap<>();
  private final List<String> calls = new ArrayList<>();
  private final List<Throwable> mistakes = new ArrayList<>();
  private final Arena arena = Arena.ofShared();

  /**
   * Creates a library without functions.
   *
   * @param lock the lock of the state that the functions use
   */
  NativeFunctions(FailurePlan failures, Object lock) {
    this.failures = failures;
    this.lock = lock;
  }

  private static MethodHandle callHandle() {
    try {
      return MethodHandles.lookup()
          .findVirtual(
              NativeFunctions.class,
              "call",
              MethodType.methodType(int.class, String.class, MethodHandle.class, Object[].class));
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** {@return a pointer without bounds, as in C} */
  @SuppressWarnings("restricted") // the stand-in trusts its callers, as the driver does
  private static AddressLayout pointer() {
    return ADDRESS.withTargetLayout(MemoryLayout.sequenceLayout(Long.MAX_VALUE, JAVA_BYTE));
  }

  /** Adds the methods whose names start with {@code cu}. */
  void add(Object owner) {
    for (Method method : owner.getClass().getDeclaredMethods()) {
      if (method.getName().startsWith("cu")) {
        functions.put(method.getName(), new Function(owner, method));
      }
    }
  }

  @Override
  public Optional<MemorySegment> find(String name) {
    synchronized (lock) {
      Optional<Function> function = Optional.ofNullable(functions.get(name));
      return function.map(found -> stubs.computeIfAbsent(name, _ -> stub(found)));
    }
  }

  @SuppressWarnings("restricted") // the types are those of the method
  private MemorySegment stub(Function function) {
    Class<?>[] parameters = function.method.getParameterTypes();
    FunctionDescriptor type =
        FunctionDescriptor.of(
            JAVA_INT,
            Arrays.stream(parameters).map(NativeFunctions::layout).toArray(MemoryLayout[]::new));
    MethodHandle call =
        MethodHandles.insertArguments(CALL, 0, this, function.method.getName(), spread(function))
            .asCollector(Object[].class, parameters.length)
            .asType(type.toMethodType());
    return Linker.nativeLinker().upcallStub(call, type, arena);
  }

  /** {@return the method, with an array of its arguments as the only parameter} */
  private static MethodHandle spread(Function function) {
    try {
      return MethodHandles.lookup()
          .unreflect(function.method)
          .bindTo(function.owner)
          .asSpreader(Object[].class, function.method.getParameterCount());
    } catch (IllegalAccessException e) {
      throw new AssertionError(function.method + " must not be private", e);
    }
  }

  private static MemoryLayout layout(Class<?> parameter) {
    if (parameter == int.class) {
      return JAVA_INT;
    } else if (parameter == long.class) {
      return JAVA_LONG;
    } else if (parameter == byte.class) {
      return JAVA_BYTE;
    } else if (parameter == MemorySegment.class) {
      return POINTER;
    }
    throw new AssertionError("no function of the driver has a parameter of " + parameter);
  }

  /** Calls a method and {@return the code of the driver}; the target of {@link #CALL}. */
  int call(String name, MethodHandle method, Object[] arguments) {
    synchronized (lock) {
      try {
        calls.add(name);
        failures.check(name);
        method.invokeExact(arguments);
        return Result.SUCCESS.code();
      } catch (CallFailure failure) {
        return failure.code();
      } catch (Throwable mistake) {
        mistakes.add(mistake);
        return Result.UNKNOWN.code();
      }
    }
  }

  /** {@return the names of the called functions, in order} */
  List<String> calls() {
    synchronized (lock) {
      return List.copyOf(calls);
    }
  }

  /** {@return the unexpected exceptions of all calls} */
  List<Throwable> mistakes() {
    synchronized (lock) {
      return List.copyOf(mistakes);
    }
  }

  /** Ends the functions. Later calls throw an exception in the caller. */
  @Override
  public void close() {
    arena.close();
  }
}
