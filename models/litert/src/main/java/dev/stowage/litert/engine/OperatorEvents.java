package dev.stowage.litert.engine;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

/**
 * A {@code TfLiteTelemetryProfilerStruct}, which TensorFlow Lite calls before and after each
 * operator.
 */
// The process of this package has the right to make native calls, and TensorFlow Lite calls methods
// by address.
@SuppressWarnings({"restricted", "UnusedMethod", "UnusedVariable"})
final class OperatorEvents {

  /*
   * The structure has a pointer for its user and six functions. All of them must be there; only
   * those at the start and at the end of an operator are of interest.
   */

  private static final int POINTERS = 7;

  /** The handle of an operator whose end is not reported: UINT32_MAX. */
  private static final int NO_END = -1;

  /** The receiver of the events of the main subgraph. */
  interface Listener {

    /** Called before an operator runs. */
    void started(int operator);

    /** Called after an operator has run. */
    void ended(int operator);
  }

  private final Listener listener;
  private final MemorySegment profiler;

  OperatorEvents(Listener listener, Arena arena) {
    this.listener = listener;
    profiler = arena.allocate(POINTERS * ADDRESS.byteSize(), ADDRESS.byteAlignment());
    FunctionDescriptor event = FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG);
    FunctionDescriptor operatorEvent =
        FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG, JAVA_LONG);
    set(1, "event", event, arena);
    set(2, "operatorEvent", operatorEvent, arena);
    set(3, "settings", FunctionDescriptor.ofVoid(ADDRESS, ADDRESS, ADDRESS), arena);
    set(4, "start", FunctionDescriptor.of(JAVA_INT, ADDRESS, ADDRESS, JAVA_LONG, JAVA_LONG), arena);
    set(5, "end", FunctionDescriptor.ofVoid(ADDRESS, JAVA_INT), arena);
    set(6, "operatorEvent", operatorEvent, arena);
  }

  private void set(int pointer, String method, FunctionDescriptor type, Arena arena) {
    try {
      MethodHandle handle = MethodHandles.lookup().bind(this, method, type.toMethodType());
      profiler.setAtIndex(ADDRESS, pointer, Linker.nativeLinker().upcallStub(handle, type, arena));
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("OperatorEvents has no method " + method, e);
    }
  }

  private int start(MemorySegment self, MemorySegment name, long operator, long subgraph) {
    if (subgraph != 0) {
      return NO_END;
    }
    listener.started((int) operator);
    return (int) operator;
  }

  private void end(MemorySegment self, int operator) {
    listener.ended(operator);
  }

  private void event(MemorySegment self, MemorySegment name, long status) {}

  private void operatorEvent(
      MemorySegment self, MemorySegment name, long first, long second, long third) {}

  private void settings(MemorySegment self, MemorySegment name, MemorySegment settings) {}

  /** {@return the structure} */
  MemorySegment profiler() {
    return profiler;
  }
}
