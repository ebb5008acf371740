package dev.stowage.litert;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LiteLibraryTest {

  @Test
  void checkPlatform_otherThanLinuxOnX86_namesTheRemedy() {
    assertThatCode(() -> LiteLibrary.checkPlatform("Linux amd64")).doesNotThrowAnyException();
    assertThatThrownBy(() -> LiteLibrary.checkPlatform("Mac OS X aarch64"))
        .isInstanceOf(MissingLibraryException.class)
        .hasMessage(
            "TensorFlow Lite runs models in planned memory on Linux amd64 only, and this machine is Mac OS X aarch64; run the command on such a machine or in a container for it");
  }
}
