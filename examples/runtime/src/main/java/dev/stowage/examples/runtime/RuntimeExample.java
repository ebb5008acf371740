package dev.stowage.examples.runtime;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.allocator.BfcOutOfMemoryException;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryBlock;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.memory.tensor.DataType;
import dev.stowage.memory.tensor.Tensor;
import dev.stowage.memory.tensor.TensorShape;
import dev.stowage.opencl.KernelArgument;
import dev.stowage.opencl.OpenClDevice;
import dev.stowage.opencl.OpenClDevices;
import dev.stowage.opencl.OpenClProgram;
import dev.stowage.opencl.OpenClStream;
import dev.stowage.plan.OffsetsAssignment;
import dev.stowage.plan.PlanProblem;
import dev.stowage.plan.TensorUsageRecord;
import dev.stowage.plan.strategy.MemoryStrategy;
import java.io.PrintStream;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Runs a network of four fully connected layers in one planned arena. */
final class RuntimeExample {

  private static final int ROWS = 64;

  /** The elements of a row of each activation: the input, the hidden ones and the output. */
  private static final int[] WIDTHS = {256, 1024, 512, 1024, 16};

  private static final int LAYERS = WIDTHS.length - 1;

  private static final String AFFINE =
      """
      #pragma OPENCL FP_CONTRACT OFF
      kernel void affine(int inputs, int outputs, global const float *x, global const float *w,
                         global float *y) {
        int i = get_global_id(0), row = i / outputs, column = i % outputs;
        float sum = 0;
        for (int k = 0; k < inputs; k++)
          sum += x[row * inputs + k] * w[k * outputs + column];
        y[i] = sum > 0 ? sum : 0;
      }
      """;

  static void main() {
    print(System.out);
  }

  static void print(PrintStream out) {
    OffsetsAssignment plan = plan();
    out.println("one arena of " + plan.totalBytes() + " bytes");
    out.println("on the host: " + onHost(plan));
    OpenClDevices devices = OpenClDevices.find();
    devices.absence().ifPresent(out::println);
    if (!devices.list().isEmpty()) {
      try (OpenClDevice device = devices.open(devices.list().getFirst())) {
        onDevice(plan, device, out);
      }
    }
  }

  /** {@return the plan; layer i reads activation i and writes the next one} */
  static OffsetsAssignment plan() {
    List<TensorUsageRecord> records = new ArrayList<>();
    for (int i = 0; i < WIDTHS.length; i++) {
      records.add(TensorUsageRecord.of(bytes(i), Math.max(0, i - 1), i));
    }
    PlanProblem problem = PlanProblem.of(records).withAlignment(4096);
    return MemoryStrategy.OPTIMAL.planOffsets(problem);
  }

  /** {@return the last output, computed on the host} */
  static float onHost(OffsetsAssignment plan) {
    try (HostMemory host = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", host, BfcOptions.expandable());
        MemoryBlock arena = pool.allocate(plan.totalBytes())) {
      List<Tensor> activations = new ArrayList<>();
      for (int i = 0; i < WIDTHS.length; i++) {
        TensorShape shape = TensorShape.of(ROWS, WIDTHS[i]);
        MemorySegment part = arena.segment().asSlice(plan.offset(i), bytes(i));
        activations.add(Tensor.wrap("activation " + i, DataType.FLOAT32, shape, part));
      }
      activations.getFirst().mutableSegment().copyFrom(numbers(0, ROWS * WIDTHS[0]));
      for (int i = 0; i < LAYERS; i++) {
        affine(i, activations.get(i).segment(), activations.get(i + 1).mutableSegment());
      }
      float last = activations.getLast().getFloat(ROWS - 1, WIDTHS[LAYERS] - 1);
      activations.forEach(Tensor::close);
      return last;
    }
  }

  private static void affine(int layer, MemorySegment x, MemorySegment y) {
    int inputs = WIDTHS[layer];
    int outputs = WIDTHS[layer + 1];
    float[] w = weights(layer).toArray(JAVA_FLOAT);
    for (int i = 0; i < ROWS * outputs; i++) {
      float sum = 0;
      for (int k = 0; k < inputs; k++) {
        float input = x.getAtIndex(JAVA_FLOAT, i / outputs * inputs + k);
        sum += input * w[k * outputs + i % outputs];
      }
      y.setAtIndex(JAVA_FLOAT, i, Math.max(sum, 0));
    }
  }

  /** Prints the last output, computed on a device, and reports on the memory. */
  static void onDevice(OffsetsAssignment plan, OpenClDevice device, PrintStream out) {
    try (OpenClProgram program = OpenClProgram.build(device, AFFINE);
        DevicePool pool =
            DevicePool.open("device", device, BfcOptions.growing().withLimit(16 << 20));
        OpenClStream stream = device.openStream()) {
      List<SyncedMemory> weights = new ArrayList<>();
      for (int i = 0; i < LAYERS; i++) {
        MemorySegment values = weights(i);
        weights.add(SyncedMemory.of("weights " + i, values.byteSize(), pool));
        weights.get(i).mutableCpuData().copyFrom(values);
      }
      long arena = pool.allocate(plan.totalBytes(), stream);
      device.copyFromHost(numbers(0, ROWS * WIDTHS[0]), arena + plan.offset(0));
      for (int i = 0; i < LAYERS; i++) {
        long address = weights.get(i).gpuData().addressOn(device);
        program.run(
            stream,
            "affine",
            (long) ROWS * WIDTHS[i + 1],
            KernelArgument.of(WIDTHS[i]),
            KernelArgument.of(WIDTHS[i + 1]),
            KernelArgument.memory(arena + plan.offset(i), bytes(i)),
            KernelArgument.memory(address, weights.get(i).byteSize()),
            KernelArgument.memory(arena + plan.offset(i + 1), bytes(i + 1)));
      }
      MemorySegment outputs = MemorySegment.ofArray(new float[ROWS * WIDTHS[LAYERS]]);
      stream.synchronize();
      device.copyToHost(arena + plan.offset(LAYERS), outputs);
      out.println("on the device: " + outputs.getAtIndex(JAVA_FLOAT, ROWS * WIDTHS[LAYERS] - 1));
      try {
        pool.allocate(12 << 20, stream);
      } catch (BfcOutOfMemoryException e) {
        out.println(e.getMessage());
      }
      pool.free(arena, stream);
      out.println(pool.inUse());
      weights.forEach(SyncedMemory::close);
      out.println(pool.statistics().peakBytesInUse() + " bytes in use at the peak");
    }
  }

  private static MemorySegment weights(int layer) {
    return numbers(layer + 1, WIDTHS[layer] * WIDTHS[layer + 1]);
  }

  private static long bytes(int activation) {
    return 4L * ROWS * WIDTHS[activation];
  }

  private static MemorySegment numbers(int seed, int count) {
    Random random = new Random(seed);
    float[] numbers = new float[count];
    for (int i = 0; i < count; i++) {
      numbers[i] = (random.nextFloat() - 0.5f) / 8;
    }
    return MemorySegment.ofArray(numbers);
  }
}
