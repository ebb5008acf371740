package dev.stowage.examples.training;

import dev.stowage.memory.synced.DeviceData;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.opencl.KernelArgument;
import dev.stowage.opencl.OpenClDevice;
import dev.stowage.opencl.OpenClProgram;
import dev.stowage.opencl.OpenClStream;
import java.util.List;
import java.util.stream.Stream;

/**
 * A device of OpenCL.
 *
 * @param device the device
 * @param program all kernels, built for the device
 * @param stream a stream of the device
 */
record OpenClPlace(OpenClDevice device, OpenClProgram program, OpenClStream stream)
    implements Place {

  @Override
  public String label() {
    return "OpenCL";
  }

  @Override
  public void execute(Task task) {
    Scalars scalars = task.scalars();
    List<KernelArgument> numbers =
        List.of(
            KernelArgument.of(scalars.rows()),
            KernelArgument.of(scalars.inputs()),
            KernelArgument.of(scalars.outputs()),
            KernelArgument.of(scalars.factor()));
    Stream<KernelArgument> memory = task.operands().stream().map(this::memory);
    program.run(
        stream,
        task.kernel().openClName(),
        task.itemCount(),
        Stream.concat(numbers.stream(), memory).toArray(KernelArgument[]::new));
    // The buffers do not wait for queued kernels.
    stream.synchronize();
  }

  private KernelArgument memory(Operand operand) {
    SyncedMemory buffer = operand.tensor().syncedMemory();
    DeviceData data = operand.isWritten() ? buffer.mutableGpuData(device) : buffer.gpuData(device);
    return KernelArgument.memory(data.addressOn(device), data.byteSize());
  }

  @Override
  public long copiesWithoutLaziness(Task task) {
    return task.copiesWithoutLaziness();
  }
}
