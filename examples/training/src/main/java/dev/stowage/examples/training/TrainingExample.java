package dev.stowage.examples.training;

import dev.stowage.allocator.BfcOptions;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.memory.pool.DevicePool;
import dev.stowage.memory.pool.MemoryPool;
import dev.stowage.memory.synced.SyncedMemory;
import dev.stowage.opencl.OpenClDevice;
import dev.stowage.opencl.OpenClDevices;
import dev.stowage.opencl.OpenClProgram;
import dev.stowage.opencl.OpenClStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Trains on the host alone, then on the host and on OpenCL in turn, and compares. */
public final class TrainingExample {

  static final int STEP_COUNT = 10;

  private TrainingExample() {}

  /**
   * Prints the losses of both trainings, and the copies of the second one.
   *
   * @param arguments not used
   */
  public static void main(String[] arguments) {
    print(OpenClDevices.find(), System.out);
  }

  static void print(OpenClDevices devices, PrintStream out) {
    Optional<String> absence = devices.absence();
    if (absence.isPresent()) {
      printHostAlone(absence.get(), out);
    } else {
      try (OpenClDevice device = devices.open(devices.list().getFirst())) {
        out.println("OpenCL device: " + device.name());
        printComparison(onHost(), inTurn(device), out);
      }
    }
  }

  /** {@return the training on the host alone} */
  static Training onHost() {
    try (HostMemory memory = HostMemory.open();
        MemoryPool pool = MemoryPool.open("host", memory, BfcOptions.growing());
        Network network = new Network((name, bytes) -> SyncedMemory.of(name, bytes, pool))) {
      return Training.of(network, STEP_COUNT, List.of(new HostPlace()));
    }
  }

  /** {@return the training on the host and a device in turn} */
  static Training inTurn(OpenClDevice device) {
    try (DevicePool memory = DevicePool.open("opencl", device, BfcOptions.growing());
        OpenClProgram program = OpenClProgram.build(device, Kernel.openClSource());
        OpenClStream stream = device.openStream()) {
      Place openCl = new OpenClPlace(device, program, stream);
      try (Network network = new Network((name, bytes) -> SyncedMemory.of(name, bytes, memory))) {
        return Training.of(network, STEP_COUNT, List.of(new HostPlace(), openCl));
      }
    }
  }

  static void printHostAlone(String why, PrintStream out) {
    out.println(why);
    out.println("so all is computed on the host");
    Training host = onHost();
    out.println("step  loss");
    for (int i = 0; i < host.steps().size(); i++) {
      out.printf(Locale.ROOT, "%4d  %s%n", i + 1, host.steps().get(i).loss());
    }
  }

  private static void printComparison(Training host, Training inTurn, PrintStream out) {
    out.println("step  computed on  loss         loss on the host alone");
    for (int i = 0; i < host.steps().size(); i++) {
      Training.Step step = inTurn.steps().get(i);
      out.printf(
          Locale.ROOT,
          "%4d  %-11s  %-11s  %s%n",
          i + 1,
          step.place(),
          step.loss(),
          host.steps().get(i).loss());
    }
    out.println("copies taken: " + inTurn.copies());
    out.println("copies without laziness: " + inTurn.copiesWithoutLaziness());
  }
}
