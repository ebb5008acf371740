package dev.stowage.onnxruntime.capi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class OnnxRuntimeApiTest {

  @Test
  void notFound_withAndWithoutAFolder_namesTheRemedy() {
    String library = System.mapLibraryName("onnxruntime");
    assertThat(OnnxRuntimeApi.notFound(Optional.empty()))
        .hasMessage(
            "the library of ONNX Runtime is not found: another class loader than Stowage's loaded"
                + " its Java classes, and -Donnxruntime.native.path is not set; run with"
                + " -Donnxruntime.native.path=FOLDER, a folder with a copy of "
                + library
                + ", so that both use that copy");
    assertThat(OnnxRuntimeApi.notFound(Optional.of("lib")))
        .hasMessageContaining("and lib has no " + library + " with OrtGetApiBase; run with");
  }

  @ParameterizedTest
  @CsvSource({
    "1.20.0, 20",
    "1.22.0, 22",
    "1.23.2, 23",
    "1.29.0, 23",
    "1.30.1-rc1, 23",
    "1.23rc1, 23"
  })
  void version_fittingEngine_isAtMostTheNewestThatIsUsed(String engine, int version) {
    assertThat(OnnxRuntimeApi.version(engine)).isEqualTo(version);
  }

  @ParameterizedTest
  @ValueSource(strings = {"1.19.2", "0.5.0", "2.0.0", "1.x", "1.9999999", "main"})
  void version_engineThatDoesNotFit_isRefused(String engine) {
    assertThatIllegalStateException()
        .isThrownBy(() -> OnnxRuntimeApi.version(engine))
        .withMessage(
            "ONNX Runtime "
                + engine
                + " does not fit a Stowage allocator: expected 1.20 or a newer 1.x; put another"
                + " version of com.microsoft.onnxruntime:onnxruntime on the path of the program");
  }

  @Test
  void of_libraryWithoutTheVersion_isRefused() {
    assertThatIllegalStateException()
        .isThrownBy(() -> OnnxRuntimeApi.of("1.29.0", 23, 0))
        .withMessage(
            "the library of ONNX Runtime 1.29.0 has no version 23 of its C API: put another build of"
                + " com.microsoft.onnxruntime:onnxruntime on the path of the program");
  }

  @Test
  void isAlreadyRegistered_messagesOfEngines_onlyThatOfAnotherAllocator() {
    assertThat(
            OnnxRuntimeApi.isAlreadyRegistered(
                new IllegalStateException(
                    "ONNX Runtime: An allocator for this device has already been registered for"
                        + " sharing.")))
        .isTrue();
    assertThat(
            OnnxRuntimeApi.isAlreadyRegistered(
                new IllegalStateException("ONNX Runtime: Provided allocator is null")))
        .isFalse();
  }

  @Test
  void checkStreams_versionWithoutStreams_isRefused() {
    OnnxRuntimeApi.checkStreams(23);
    assertThatIllegalStateException()
        .isThrownBy(() -> OnnxRuntimeApi.checkStreams(22))
        .withMessage(
            "ONNX Runtime 1.22 does not fit a Stowage allocator of a GPU: expected 1.23 or newer; put"
                + " another version of com.microsoft.onnxruntime:onnxruntime_gpu on the path of the"
                + " program");
  }
}
