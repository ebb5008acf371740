package dev.stowage.onnxruntime;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls that make a virtual thread keep its carrier while it waits. */
final class PinnedCalls {

  /*
   * A virtual thread in a run of ONNX Runtime has native frames, so that it keeps its carrier while it
   * waits for a lock in a call from there. If all carriers are taken in this way, a virtual thread
   * without a carrier cannot run. It must therefore neither hold a lock that runs need, nor be the
   * next in its queue: all of them would wait without end.
   *
   *   carrier 1   run -> native -> allocate -> waits for the lock   ) none of them can go on
   *   carrier 2   run -> native -> allocate -> waits for the lock   )
   *   no carrier  admit -> has the lock, or is the next to get it
   *
   * The calls of the program that take these locks therefore run below a native frame, too. A call
   * through native code takes about 100 ns. Waits for admission hold no lock, and free the carrier.
   */

  private static final ScopedValue<Call<?>> CALL = ScopedValue.newInstance();
  private static final FunctionDescriptor TYPE = FunctionDescriptor.ofVoid();

  private final MethodHandle runFromNativeCode;

  /** Code and its outcome; an exception must not enter native code, which would end the process. */
  private static final class Call<T> {

    private final Supplier<T> code;
    private @Nullable T result;
    private @Nullable Throwable thrown;

    Call(Supplier<T> code) {
      this.code = code;
    }

    void run() {
      try {
        result = code.get();
      } catch (Throwable failure) {
        thrown = failure;
      }
    }

    T outcome() {
      return switch (thrown) {
        case RuntimeException failure -> throw failure;
        case Error failure -> throw failure;
        case null, default -> Objects.requireNonNull(result);
      };
    }
  }

  @SuppressWarnings("restricted") // this module needs native access for such calls
  PinnedCalls() {
    try {
      MethodHandle run =
          MethodHandles.lookup().findStatic(PinnedCalls.class, "runCall", TYPE.toMethodType());
      MemorySegment stub = Linker.nativeLinker().upcallStub(run, TYPE, Arena.ofAuto());
      runFromNativeCode = Linker.nativeLinker().downcallHandle(stub, TYPE);
    } catch (ReflectiveOperationException absent) {
      throw new LinkageError("PinnedCalls has no method runCall", absent);
    }
  }

  @SuppressWarnings("unused") // called from native code
  private static void runCall() {
    CALL.get().run();
  }

  /** Runs code, and {@return its result} */
  <T> T call(Supplier<T> code) {
    if (!Thread.currentThread().isVirtual()) {
      return code.get();
    }
    Call<T> call = new Call<>(code);
    ScopedValue.where(CALL, call).run(this::runFromNativeCode);
    return call.outcome();
  }

  /** Runs code. */
  void run(Runnable code) {
    call(() -> {
      code.run();
      return true;
    });
  }

  private void runFromNativeCode() {
    try {
      runFromNativeCode.invokeExact();
    } catch (Throwable failure) {
      throw new AssertionError("a call through native code threw an exception", failure);
    }
  }
}
