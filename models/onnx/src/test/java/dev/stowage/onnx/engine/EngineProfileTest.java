package dev.stowage.onnx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EngineProfileTest {

  @TempDir Path folder;

  private static OptionalLong peakBytes(Path file) throws IOException {
    return EngineProfile.peakBytes(FileChannel.open(file));
  }

  private Path profile(String... events) throws IOException {
    String all = "[{\"name\":\"model_loading\",\"args\":{}}," + String.join(",", events) + "]";
    return Files.writeString(folder.resolve("profile.json"), all);
  }

  private static String event(long inUse, long delta, long peak) {
    return "{\"cat\":\"Node\",\"name\":\"a_kernel_time\",\"args\":{\"mem_bytes_in_use\":\"%s\",\"threads\":[{\"a\":{}},\"b\"],\"mem_in_use_delta\":\"%s\",\"mem_in_use_peak\":\"%s\"}}"
        .formatted(inUse, delta, peak);
  }

  @Test
  void peakBytes_ofARun_isLessWhatWasThereBefore() throws Exception {
    Path file = profile(event(1500, 500, 1500), event(1700, 200, 1700), event(1200, -500, 1700));
    assertThat(peakBytes(file)).hasValue(700);
  }

  @Test
  void peakBytes_whereAnOperatorNeedsScratchMemory_countsIt() throws Exception {
    Path file = profile(event(1500, 500, 1500), event(1600, 100, 3000));
    assertThat(peakBytes(file)).hasValue(2000);
  }

  @Test
  void peakBytes_whereLoadingNeededMore_isThatOfTheRun() throws Exception {
    Path file = profile(event(1500, 500, 9000), event(1600, 100, 9000));
    assertThat(peakBytes(file)).hasValue(600);
  }

  @Test
  void peakBytes_ofAProfileWithoutMemory_isEmpty() throws Exception {
    assertThat(peakBytes(profile("{\"args\":{}}"))).isEmpty();
  }

  @Test
  void peakBytes_ofNoProfile_isAnError() throws Exception {
    Path file = Files.writeString(folder.resolve("profile.json"), "[{");
    assertThatThrownBy(() -> peakBytes(file))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "ONNX Runtime's profile: event 1: is not JSON: Unexpected end-of-input");
  }
}
