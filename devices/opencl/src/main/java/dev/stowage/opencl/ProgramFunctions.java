package dev.stowage.opencl;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.Locale;

/** Functions for programs and kernels. */
final class ProgramFunctions {

  private static final int PROGRAM_BUILD_LOG = 0x1183;
  private static final MemorySegment NONE = MemorySegment.NULL;

  private final MethodHandle createProgramWithSource;
  private final MethodHandle buildProgram;
  private final MethodHandle getProgramBuildInfo;
  private final MethodHandle releaseProgram;
  private final MethodHandle createKernel;
  private final MethodHandle releaseKernel;
  private final MethodHandle setKernelArg;
  private final MethodHandle enqueueKernel;

  ProgramFunctions(Linkage linkage) {
    createProgramWithSource =
        linkage.made(
            "clCreateProgramWithSource", JAVA_LONG, JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS);
    buildProgram =
        linkage.code("clBuildProgram", JAVA_LONG, JAVA_INT, ADDRESS, ADDRESS, ADDRESS, ADDRESS);
    getProgramBuildInfo =
        linkage.code(
            "clGetProgramBuildInfo", JAVA_LONG, JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS, ADDRESS);
    releaseProgram = linkage.code("clReleaseProgram", JAVA_LONG);
    createKernel = linkage.made("clCreateKernel", JAVA_LONG, JAVA_LONG, ADDRESS, ADDRESS);
    releaseKernel = linkage.code("clReleaseKernel", JAVA_LONG);
    setKernelArg = linkage.code("clSetKernelArg", JAVA_LONG, JAVA_INT, JAVA_LONG, ADDRESS);
    enqueueKernel =
        linkage.code(
            "clEnqueueNDRangeKernel",
            JAVA_LONG,
            JAVA_LONG,
            JAVA_INT,
            ADDRESS,
            ADDRESS,
            ADDRESS,
            JAVA_INT,
            ADDRESS,
            ADDRESS);
  }

  long create(long context, String source) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment lines = arena.allocateFrom(ADDRESS, arena.allocateFrom(source));
      return Linkage.make(
          () -> "clCreateProgramWithSource",
          error -> (long) createProgramWithSource.invokeExact(context, 1, lines, NONE, error));
    }
  }

  /** {@return the code of building} */
  int build(long program, long device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment devices = arena.allocateFrom(JAVA_LONG, device);
      return Linkage.code(
          () -> (int) buildProgram.invokeExact(program, 1, devices, NONE, NONE, NONE));
    }
  }

  /** {@return the messages of the compiler} */
  String buildLog(long program, long device) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment bytes = arena.allocate(JAVA_LONG);
      Linkage.check(
          () -> "clGetProgramBuildInfo",
          () ->
              (int)
                  getProgramBuildInfo.invokeExact(
                      program, device, PROGRAM_BUILD_LOG, 0L, NONE, bytes));
      long room = bytes.get(JAVA_LONG, 0);
      MemorySegment log = arena.allocate(room + 1);
      Linkage.check(
          () -> "clGetProgramBuildInfo",
          () ->
              (int)
                  getProgramBuildInfo.invokeExact(
                      program, device, PROGRAM_BUILD_LOG, room, log, NONE));
      return log.getString(0).strip();
    }
  }

  void release(long program) {
    Linkage.check(() -> "clReleaseProgram", () -> (int) releaseProgram.invokeExact(program));
  }

  long createKernel(long program, String name) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment text = arena.allocateFrom(name);
      return Linkage.make(
          () -> String.format(Locale.ROOT, "clCreateKernel of '%s'", name),
          error -> (long) createKernel.invokeExact(program, text, error));
    }
  }

  void releaseKernel(long kernel) {
    Linkage.check(() -> "clReleaseKernel", () -> (int) releaseKernel.invokeExact(kernel));
  }

  void setArgument(long kernel, String name, int index, long bytes, MemorySegment value) {
    Linkage.check(
        () -> String.format(Locale.ROOT, "clSetKernelArg %d of kernel '%s'", index, name),
        () -> (int) setKernelArg.invokeExact(kernel, index, bytes, value));
  }

  /** Queues a kernel for a number of work items and {@return its event} */
  long enqueue(long queue, long kernel, String name, long workItems) {
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment event = arena.allocate(JAVA_LONG);
      MemorySegment global = arena.allocateFrom(JAVA_LONG, workItems);
      Linkage.check(
          () -> String.format(Locale.ROOT, "clEnqueueNDRangeKernel of '%s'", name),
          () ->
              (int)
                  enqueueKernel.invokeExact(queue, kernel, 1, NONE, global, NONE, 0, NONE, event));
      return event.get(JAVA_LONG, 0);
    }
  }
}
