package dev.stowage.opencl;

import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * A program in OpenCL C, built for a device.
 *
 * <p>Programs are safe for use by many threads. A program can be closed while its kernels are
 * queued, and can outlive its device.
 */
public final class OpenClProgram implements AutoCloseable {

  private final OpenClDevice device;
  private final ProgramFunctions programs;
  private final long program;
  private boolean closed;

  private OpenClProgram(OpenClDevice device, long program) {
    this.device = device;
    this.programs = device.api().programs();
    this.program = program;
  }

  /**
   * {@return a program}
   *
   * @param device the device
   * @param source the source in OpenCL C
   * @throws IllegalStateException if the device is closed
   * @throws DeviceException if building fails; the message has the messages of the compiler
   */
  public static OpenClProgram build(OpenClDevice device, String source) {
    long queue = device.retainedQueue();
    try {
      return build(device, device.api().programs().create(device.context(), source));
    } finally {
      device.api().queues().releaseQueue(queue);
    }
  }

  private static OpenClProgram build(OpenClDevice device, long program) {
    ProgramFunctions programs = device.api().programs();
    try {
      int code = programs.build(program, device.deviceId());
      if (code != OpenClError.SUCCESS) {
        String log = programs.buildLog(program, device.deviceId());
        throw OpenClError.exception(
            String.format(Locale.ROOT, "clBuildProgram (messages of the compiler:%n%s%n)", log),
            code);
      }
      return new OpenClProgram(device, program);
    } catch (RuntimeException | Error failed) {
      programs.release(program);
      throw failed;
    }
  }

  /**
   * Queues a kernel.
   *
   * @param stream a stream of the device of the program
   * @param kernel the name of the kernel
   * @param workItems the number of runs, with different values of {@code get_global_id(0)}
   * @param arguments one for each parameter
   * @throws IllegalArgumentException if {@code workItems < 1}, the stream belongs to another
   *     device, or memory does not lie within one region or is not aligned to {@link
   *     OpenClDevice#alignmentBytes}
   * @throws IllegalStateException if the program or the stream is closed
   * @throws DeviceException if there is no such kernel, or the arguments do not fit it
   */
  public void run(OpenClStream stream, String kernel, long workItems, KernelArgument... arguments) {
    stream.checkOpen();
    if (stream.device() != device) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "kernel '%s' belongs to device '%s', and the stream to another device",
              kernel,
              device.name()));
    }
    if (workItems < 1) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "workItems of kernel '%s' must be positive: workItems=%d",
              kernel,
              workItems));
    }
    long made = createKernel(kernel);
    try (Parts parts = new Parts(device)) {
      for (int i = 0; i < arguments.length; i++) {
        setArgument(made, kernel, i, arguments[i], parts);
      }
      stream.queued(
          String.format(Locale.ROOT, "kernel '%s'", kernel),
          programs.enqueue(stream.queue(), made, kernel, workItems));
    } finally {
      programs.releaseKernel(made); // the driver keeps queued kernels
    }
  }

  /** Makes a kernel for each launch, because only one thread may set the arguments of a kernel. */
  private synchronized long createKernel(String kernel) {
    if (closed) {
      throw new IllegalStateException(
          String.format(Locale.ROOT, "a program of device '%s' is closed", device.name()));
    }
    return programs.createKernel(program, kernel);
  }

  private void setArgument(
      long made, String kernel, int index, KernelArgument argument, Parts parts) {
    long buffer =
        argument instanceof KernelArgument.Memory(long address, long bytes)
            ? parts.of(address, bytes, kernel, index)
            : 0;
    try (Arena arena = Arena.ofConfined()) {
      MemorySegment value = KernelArgument.bytes(argument, buffer, arena);
      programs.setArgument(made, kernel, index, value.byteSize(), value);
    }
  }

  /** The sub-buffers of a launch, until its command is queued. */
  private static final class Parts implements AutoCloseable {

    private final OpenClDevice device;
    private final List<Long> memories = new ArrayList<>();

    Parts(OpenClDevice device) {
      this.device = device;
    }

    long of(long address, long bytes, String kernel, int index) {
      if (bytes < 1 || address % device.alignmentBytes() != 0) {
        throw new IllegalArgumentException(
            String.format(
                Locale.ROOT,
                "argument %d of kernel '%s' needs bytes at a multiple of %d: address=0x%x, bytes=%d",
                index,
                kernel,
                device.alignmentBytes(),
                address,
                bytes));
      }
      try (BufferRange range = device.range(address, bytes)) {
        long part = device.api().buffers().createPart(range.memory(), range.offset(), bytes);
        memories.add(part);
        return part;
      }
    }

    @Override
    public void close() {
      memories.forEach(device.api().buffers()::release);
    }
  }

  @Override
  public synchronized void close() {
    if (!closed) {
      closed = true;
      programs.release(program);
    }
  }
}
