package dev.stowage.examples.nativememory;

import ai.djl.Model;
import ai.djl.engine.Engine;
import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import ai.djl.inference.Predictor;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.examples.nativememory.Figures.Loaded;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Embeddings with DJL on ONNX Runtime, in eight threads, of short and long texts. */
public final class DjlService {

  private static final int THREADS = 8;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private DjlService() {}

  /** A prediction, or one that is admitted. */
  @FunctionalInterface
  private interface Prediction {

    float[] of(Predictor<String, float[]> predictor, String text) throws Exception;
  }

  /**
   * Compares DJL's defaults with admission.
   *
   * @param args optionally the number of predictions
   */
  public static void main(String[] args) throws Exception {
    Comparison.main(
        args, DjlService.class, 10_000, List.of("defaults", "stowage"), DjlService::serve);
  }

  private static Figures serve(String way, int requests) throws Exception {
    MiniLm files = MiniLm.unpacked();
    try (HuggingFaceTokenizer tokenizer =
        HuggingFaceTokenizer.newInstance(files.tokenizer(), Map.of("padding", "false"))) {
      MeanEmbedding translator = new MeanEmbedding(tokenizer);
      return way.equals("stowage")
          ? serveAdmitted(files.model(), translator, requests)
          : serveDefaults(files.model(), translator, requests);
    }
  }

  private static Figures serveDefaults(Path file, MeanEmbedding translator, int requests)
      throws Exception {
    try (Model model = Model.newInstance("minilm", "OnnxRuntime")) {
      model.load(file);
      Loaded loaded = Loaded.now();
      return loaded.after(predict(model, translator, requests, Predictor::predict));
    }
  }

  private static Figures serveAdmitted(Path file, MeanEmbedding translator, int requests)
      throws Exception {
    Engine.getEngine("OnnxRuntime"); // before the allocator is registered
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "djl", host, BfcOptions.expandable().withLimit(MiniLm.LIMIT_BYTES));
        SessionOptions options = new SessionOptions();
        SessionMemory memory = allocator.openSession("minilm", 0, Long.MAX_VALUE);
        Model model = Model.newInstance("minilm", "OnnxRuntime")) {
      allocator.configure(options);
      memory.load(
          MiniLm.LOADING_BYTES,
          LONGEST_WAIT,
          () -> {
            model.load(file, null, Map.of("sessionOptions", options));
            return model;
          });
      Loaded loaded = Loaded.now();
      int served =
          predict(
              model,
              translator,
              requests,
              (predictor, text) -> {
                try (RunPermit _ = memory.admit(MiniLm.runBytes(text), LONGEST_WAIT)) {
                  return predictor.predict(text);
                }
              });
      memory.check();
      allocator.trim();
      return loaded.after(served);
    }
  }

  private static int predict(
      Model model, MeanEmbedding translator, int requests, Prediction prediction) throws Exception {
    return Requests.serve(
        THREADS,
        requests,
        number -> {
          try (Predictor<String, float[]> predictor = model.newPredictor(translator)) {
            return prediction.of(predictor, MiniLm.mixedText(number));
          }
        });
  }
}
