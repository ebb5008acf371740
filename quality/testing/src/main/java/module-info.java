/** For the tests of all modules: seeds, sample models, and the examples of guides. */
@org.jspecify.annotations.NullMarked
@SuppressWarnings("requires-automatic") // the schema of .tflite models has no module descriptor
module dev.stowage.testing {
  requires transitive org.junit.jupiter.params;
  requires java.compiler;
  requires static flatbuffers.java;
  requires static org.assertj.core;
  requires static org.jspecify;
  requires static org.seleniumhq.selenium.chrome_driver;
  requires static tensorflow.lite.metadata;
  requires static transitive tools.jackson.databind;

  exports dev.stowage.testing;
  exports dev.stowage.testing.browser;
  exports dev.stowage.testing.tflite;

  provides org.junit.jupiter.api.extension.Extension with
      dev.stowage.testing.ShortFailures;
}
