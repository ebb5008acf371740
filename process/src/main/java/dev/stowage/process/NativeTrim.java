package dev.stowage.process;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;

/** The return of free pages of the C library to the system, in another process. */
public final class NativeTrim {

  private NativeTrim() {}

  /**
   * Calls {@code malloc_trim} in a Java process.
   *
   * <p>The call holds the lock of each arena while it returns its pages. Threads that request
   * memory from this arena wait.
   *
   * @param pid the number of the process
   * @return true if the virtual machine has called it; false if the process is no Java virtual
   *     machine on GNU/Linux, or does not accept connections
   * @throws NoSuchFileException if there is no such process
   * @throws IOException if the connection breaks, if the virtual machine does not answer within ten
   *     seconds, or if the call takes more than five minutes
   */
  public static boolean run(long pid) throws IOException {
    String status = ProcessDump.read(Path.of("/proc/" + pid + "/status"));
    Optional<AttachedVm> vm =
        LimitedCall.answer(
            AttachedVm.ANSWER_LIMIT,
            () -> {
              Optional<AttachedVm> asked = AttachedVm.of(pid, new ProcessStatus(status));
              return asked.isPresent() && asked.get().output("VM.version").isPresent()
                  ? asked
                  : Optional.empty();
            });
    return vm.isPresent()
        && LimitedCall.answer(
            AttachedVm.WORK_LIMIT, () -> vm.get().output("System.trim_native_heap").isPresent());
  }
}
