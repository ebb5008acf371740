package dev.stowage.opencl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.stowage.allocator.BfcAllocator;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.DeviceException;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** Kernels on memory of an allocator. */
@NeedsOpenCl
class OpenClProgramTest {

  private static final String SOURCE =
      """
      kernel void axpy(float a, global const float *x, global float *y) {
        size_t i = get_global_id(0);
        y[i] += a * x[i];
      }
      kernel void add(int a, long b, global long *sum) {
        sum[get_global_id(0)] = a + b;
      }
      """;

  private static OpenClDevice open() {
    return OpenClDevice.openFirst().orElseThrow();
  }

  private static float[] multiples(float factor) {
    float[] multiples = new float[1000];
    for (int i = 0; i < multiples.length; i++) {
      multiples[i] = factor * i;
    }
    return multiples;
  }

  @Test
  void run_kernelOnAllocatedMemory_computes() {
    try (OpenClDevice device = open();
        OpenClProgram program = OpenClProgram.build(device, SOURCE);
        BfcAllocator allocator = new BfcAllocator("kernels", device, BfcOptions.growing());
        OpenClStream stream = device.openStream()) {
      float[] x = multiples(1);
      long alignment = device.alignmentBytes();
      long first = allocator.allocate(100, alignment); // so that offsets are not zero
      long xs = allocator.allocate(4000, alignment);
      long ys = allocator.allocate(4000, alignment);
      device.copyFromHost(MemorySegment.ofArray(x), xs);
      stream.fill(ys, 4000, (byte) 0);
      for (int i = 0; i < 3; i++) {
        program.run(
            stream,
            "axpy",
            1000,
            KernelArgument.of(2f),
            KernelArgument.memory(xs, 4000),
            KernelArgument.memory(ys, 4000));
      }
      stream.synchronize();
      float[] y = new float[1000];
      device.copyToHost(ys, MemorySegment.ofArray(y));
      assertThat(y).isEqualTo(multiples(6));
      allocator.free(first);
      allocator.free(xs);
      allocator.free(ys);
    }
  }

  @Test
  void run_withNumbers_getsThem() {
    try (OpenClDevice device = open();
        OpenClProgram program = OpenClProgram.build(device, SOURCE);
        OpenClStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      program.run(
          stream,
          "add",
          2,
          KernelArgument.of(-5),
          KernelArgument.of(1L << 40),
          KernelArgument.memory(address, 16));
      stream.synchronize();
      long[] sums = new long[2];
      device.copyToHost(address, MemorySegment.ofArray(sums));
      assertThat(sums).containsOnly((1L << 40) - 5);
      device.free(address, 4096);
    }
  }

  @Test
  void build_sourceThatIsWrong_hasTheMessagesOfTheCompiler() {
    try (OpenClDevice device = open()) {
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> OpenClProgram.build(device, "kernel void f() { no_such_thing; }"))
          .withMessageStartingWith("clBuildProgram (messages of the compiler:")
          .withMessageContaining("no_such_thing")
          .withMessageEndingWith("failed: CL_BUILD_PROGRAM_FAILURE (-11)");
    }
  }

  @Test
  void build_deviceThatIsClosed_isRejected() {
    OpenClDevice device = open();
    device.close();
    assertThatIllegalStateException()
        .isThrownBy(() -> OpenClProgram.build(device, SOURCE))
        .withMessage("device '%s' is closed", device.name());
    assertThatIllegalStateException().isThrownBy(device::context);
  }

  @Test
  void close_whileItsKernelsAreQueued_letsThemRun() {
    try (OpenClDevice device = open();
        OpenClStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      try (OpenClProgram program = OpenClProgram.build(device, SOURCE)) {
        for (int i = 0; i < 200; i++) {
          program.run(
              stream,
              "add",
              512,
              KernelArgument.of(i),
              KernelArgument.of(1L),
              KernelArgument.memory(address, 4096));
        }
      }
      stream.synchronize();
      long[] sums = new long[512];
      device.copyToHost(address, MemorySegment.ofArray(sums));
      assertThat(sums).containsOnly(200);
      device.free(address, 4096);
    }
  }

  @Test
  void run_unfitArguments_isRejected() {
    try (OpenClDevice device = open();
        OpenClProgram program = OpenClProgram.build(device, SOURCE);
        OpenClStream stream = device.openStream()) {
      long address = device.allocate(4096).orElseThrow();
      KernelArgument memory = KernelArgument.memory(address, 16);
      KernelArgument unaligned = KernelArgument.memory(address + 4, 16);
      KernelArgument outside = KernelArgument.memory(address, 4097);
      KernelArgument number = KernelArgument.of(1f);
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> program.run(stream, "nothing", 1))
          .withMessage("clCreateKernel of 'nothing' failed: CL_INVALID_KERNEL_NAME (-46)");
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> program.run(stream, "axpy", 1, number))
          .withMessage("clEnqueueNDRangeKernel of 'axpy' failed: CL_INVALID_KERNEL_ARGS (-52)");
      assertThatExceptionOfType(DeviceException.class)
          .isThrownBy(() -> program.run(stream, "axpy", 1, number, memory, memory, number))
          .withMessage("clSetKernelArg 3 of kernel 'axpy' failed: CL_INVALID_ARG_INDEX (-49)");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.run(stream, "axpy", 0, number, memory, memory))
          .withMessage("workItems of kernel 'axpy' must be positive: workItems=0");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.run(stream, "axpy", 1, number, unaligned, memory))
          .withMessage(
              "argument 1 of kernel 'axpy' needs bytes at a multiple of %s: address=0x%x, bytes=16",
              device.alignmentBytes(), address + 4);
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.run(stream, "axpy", 1, number, memory, outside))
          .withMessage("no region of device '%s' has 4097 bytes at 0x%x", device.name(), address);
      device.free(address, 4096);
    }
  }

  @Test
  void run_streamOfAnotherDevice_isRejected() {
    try (OpenClDevice device = open();
        OpenClDevice another = open();
        OpenClProgram program = OpenClProgram.build(device, SOURCE);
        OpenClStream stream = another.openStream()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> program.run(stream, "axpy", 1))
          .withMessage(
              "kernel 'axpy' belongs to device '%s', and the stream to another device",
              device.name());
    }
  }

  @Test
  void run_afterClose_isRejected() {
    try (OpenClDevice device = open();
        OpenClStream stream = device.openStream()) {
      OpenClProgram program = OpenClProgram.build(device, SOURCE);
      program.close();
      program.close();
      assertThatIllegalStateException()
          .isThrownBy(() -> program.run(stream, "axpy", 1))
          .withMessage("a program of device '%s' is closed", device.name());
    }
  }
}
