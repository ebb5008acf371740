package dev.stowage.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Dumps, and the script of docs/who.md that writes them. */
class ProcessDumpTest {

  @TempDir private Path folder;

  @Test
  void script_ofTheGuide_writesADump() throws IOException, InterruptedException {
    assumeTrue(Files.exists(Path.of("/proc/self/smaps")), "needs Linux (/proc/self/smaps)");
    Path tools = Path.of(System.getProperty("java.home"), "bin");
    assumeTrue(Files.exists(tools.resolve("jcmd")), "needs a JDK (bin/jcmd)");
    String guide = Files.readString(Path.of("../docs/who.md"));
    int start = guide.indexOf("#!/bin/sh");
    Path script = folder.resolve("dump.sh");
    Files.writeString(script, guide.substring(start, guide.indexOf("```", start)));
    Path text = folder.resolve("dump.txt");
    try (RunningCulprit process =
        RunningCulprit.start("direct", List.of("-XX:NativeMemoryTracking=summary"))) {
      ProcessBuilder builder =
          new ProcessBuilder("sh", script.toString(), Long.toString(process.pid()))
              .redirectOutput(text.toFile());
      builder
          .environment()
          .merge("PATH", tools.toString(), (path, own) -> own + File.pathSeparator + path);
      assertThat(builder.start().waitFor()).isZero();

      ProcessDump dump = ProcessDump.parse(Files.readString(text));
      MemoryByOwner memory = new MemoryByOwner(dump);
      assertThat(dump.time()).isPresent();
      assertThat(memory.pid()).isEqualTo(process.pid());
      assertThat(memory.collector()).contains("G1");
      assertThat(memory.arenas()).isNotEmpty();
      assertThat(memory.notes()).isEmpty();
      assertThat(memory.parts().getFirst().owner()).isEqualTo(MemoryOwner.LARGE_BLOCKS);
      assertThat(memory.parts().getFirst().details().getFirst())
          .isEqualTo(new OwnedMemory.Detail("direct buffers and FFM arenas", 200L << 20));
    }
  }

  /** The text of a dump is read as the same dump. */
  @Test
  void parse_ofTheText_isTheSameDump() {
    ProcessDump dump =
        ProcessDump.parse("== status\nPid: 7\n== smaps\n1-2 r--p 0 0 0 x\nRss: 4 kB\n");
    assertThat(ProcessDump.parse(dump.text()).text()).isEqualTo(dump.text());
    assertThat(ProcessDump.parse("\uFEFF" + dump.text()).text()).isEqualTo(dump.text());
  }
}
