package dev.stowage.cli.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The parts of a virtual machine, from the dump of a service with a heap of 512 MiB. */
class JvmPartsTest {

  private static final long MIB = 1 << 20;

  private static final String DUMP =
      """
      == status
      Name: java
      Pid: 7
      == smaps
      a0000000-a4000000 rw-p 0 00:00 0
      Rss: 65536 kB
      b0000000-b0f00000 rw-p 0 00:00 0 [heap]
      Rss: 15360 kB
      == VM.flags
      -XX:MaxHeapSize=536870912 -XX:+UseSerialGC
      == GC.heap_info after GC.run
       garbage-first heap   total 65536K, used 65536K [0x00000000a0000000
      == System.map
      0x00000000a0000000-0x00000000a4000000   67108864 rw-p   67108864   67108864 -    -    JAVAHEAP
      == VM.native_memory
      Native Memory Tracking:

      Total: reserved=600MB, committed=80MB

      -                        GC (reserved=5120KB, committed=5120KB)
                                  (malloc=5120KB #1)

      -                    Symbol (reserved=2048KB, committed=2048KB)
                                  (malloc=2048KB #1)

      -                     Other (reserved=8192KB, committed=8192KB)
                                  (malloc=8192KB #1)

      """;

  @TempDir private Path folder;

  private Path file;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("service.txt"), DUMP);
  }

  @Test
  void read_dump_hasTheLargestHeapAndTheRequestsOfTheVm() throws IOException {
    assertThat(JvmParts.read(file.toString(), OptionalLong.empty()))
        .contains(BudgetPart.heap(512 * MIB), BudgetPart.of("other memory of the JVM", 7 * MIB));
  }

  @Test
  void read_givenHeap_counts() throws IOException {
    assertThat(JvmParts.read(file.toString(), OptionalLong.of(MIB))).contains(BudgetPart.heap(MIB));
  }

  @Test
  void read_unknownHeap_isRefused() throws IOException {
    Files.writeString(file, DUMP.replace("-XX:MaxHeapSize=536870912 ", ""));

    assertThatIOException()
        .isThrownBy(() -> JvmParts.read(file.toString(), OptionalLong.empty()))
        .withMessage(
            file
                + ": lacks -XX:MaxHeapSize in its section VM.flags, because the virtual machine did not answer; repeat stowage who PID --gc --output, or add --jvm-heap");
  }
}
