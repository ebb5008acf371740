package dev.stowage.onnxruntime.capi;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

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
}
