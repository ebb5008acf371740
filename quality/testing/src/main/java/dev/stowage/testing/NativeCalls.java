package dev.stowage.testing;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.List;

/** Native calls that hold a segment while Java code runs. */
public final class NativeCalls {

  private NativeCalls() {}

  /** Runs an action in an upcall of a native call that holds a segment. */
  @SuppressWarnings("restricted") // as native code does it
  public static void during(MemorySegment segment, Runnable action) {
    List<Throwable> failures = new ArrayList<>();
    Runnable caught =
        () -> {
          try {
            action.run();
          } catch (Throwable failed) {
            failures.add(failed); // which must not leave an upcall
          }
        };
    Linker linker = Linker.nativeLinker();
    try (Arena upcalls = Arena.ofConfined()) {
      MethodHandle sort =
          linker.downcallHandle(
              linker.defaultLookup().findOrThrow("qsort"),
              FunctionDescriptor.ofVoid(
                  ValueLayout.ADDRESS,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.JAVA_LONG,
                  ValueLayout.ADDRESS));
      MethodHandle run =
          MethodHandles.lookup()
              .findVirtual(Runnable.class, "run", MethodType.methodType(void.class))
              .bindTo(caught);
      MethodHandle comparison =
          MethodHandles.dropArguments(
              MethodHandles.filterReturnValue(run, MethodHandles.constant(int.class, 0)),
              0,
              MemorySegment.class,
              MemorySegment.class);
      MemorySegment callback =
          linker.upcallStub(
              comparison,
              FunctionDescriptor.of(ValueLayout.JAVA_INT, ValueLayout.ADDRESS, ValueLayout.ADDRESS),
              upcalls);
      sort.invokeExact(segment, 2L, 4L, callback);
    } catch (Throwable failed) {
      throw new AssertionError(failed);
    }
    if (!failures.isEmpty()) {
      throw new AssertionError(failures.getFirst());
    }
  }
}
