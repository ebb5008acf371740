package dev.stowage.onnx.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Files of profiles, which are unlinked while a session writes them. */
class ProfileFileTest {

  private static final String PROFILE =
      """
      [{"cat":"Node","name":"a_kernel_time","args":{"mem_bytes_in_use":"1500","mem_in_use_delta":"500","mem_in_use_peak":"1500"}}]
      """;

  @Test
  void take_fileThatASessionHasOpen_leavesNoNameAndNoFolder() throws Exception {
    try (ProfileFile profile = ProfileFile.unwatched()) {
      Path file = Path.of(profile.prefix() + "_2026-01-01.json");
      try (Writer session = Files.newBufferedWriter(file)) {
        profile.take();
        assertThat(file.getParent()).doesNotExist();
        session.write(PROFILE);
      }
      assertThat(profile.peakBytes()).hasValue(500);
    }
  }

  @Test
  void take_beforeTheFileExists_waitsForTheNextCall() throws Exception {
    try (ProfileFile profile = ProfileFile.unwatched()) {
      profile.take();
      assertThat(profile.prefix().getParent()).isDirectory();
      Files.writeString(Path.of(profile.prefix() + ".json"), PROFILE);
      assertThat(profile.peakBytes()).hasValue(500);
      assertThat(profile.prefix().getParent()).doesNotExist();
    }
  }

  @Test
  void create_thatASessionOpens_losesItsNameWithoutACall() throws Exception {
    try (ProfileFile profile = ProfileFile.create()) {
      Path folder = profile.prefix().getParent();
      Files.writeString(Path.of(profile.prefix() + ".json"), PROFILE);
      while (Files.exists(folder)) {
        Thread.onSpinWait(); // until the thread that watches has seen it
      }
      assertThat(profile.peakBytes()).hasValue(500);
    }
  }

  @Test
  void close_ofAFileThatNothingTook_deletesItAndItsFolder() throws IOException {
    Path folder;
    try (ProfileFile profile = ProfileFile.unwatched()) {
      folder = profile.prefix().getParent();
      Files.writeString(Path.of(profile.prefix() + ".json"), PROFILE);
    }
    assertThat(folder).doesNotExist();
  }

  @Test
  void peakBytes_withoutAFile_isAnError() throws IOException {
    try (ProfileFile profile = ProfileFile.unwatched()) {
      assertThatThrownBy(profile::peakBytes)
          .isInstanceOf(IOException.class)
          .hasMessage("ONNX Runtime wrote no profile");
    }
  }
}
