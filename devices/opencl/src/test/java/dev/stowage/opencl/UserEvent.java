package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;

/** An event that a test completes or fails. */
record UserEvent(long event, MethodHandle setStatus) {

  private static final int COMPLETE = 0;

  @SuppressWarnings("restricted") // the library that the module has opened already
  static UserEvent of(OpenClDevice device) {
    Linkage linkage =
        new Linkage(SymbolLookup.libraryLookup(OpenCl.names().getFirst(), Arena.global()));
    MethodHandle create = linkage.made("clCreateUserEvent", JAVA_LONG, JAVA_LONG, ADDRESS);
    long context = device.context();
    long event =
        Linkage.make(() -> "clCreateUserEvent", error -> (long) create.invokeExact(context, error));
    return new UserEvent(event, linkage.code("clSetUserEventStatus", JAVA_LONG, JAVA_INT));
  }

  void complete() {
    set(COMPLETE);
  }

  /** Lets it fail, and {@return it} */
  long fail(int code) {
    set(code);
    return event;
  }

  private void set(int status) {
    Linkage.check(() -> "clSetUserEventStatus", () -> (int) setStatus.invokeExact(event, status));
  }
}
