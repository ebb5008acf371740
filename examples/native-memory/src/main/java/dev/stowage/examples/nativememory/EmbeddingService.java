package dev.stowage.examples.nativememory;

import ai.onnxruntime.OrtEnvironment;
import ai.onnxruntime.OrtSession;
import ai.onnxruntime.OrtSession.SessionOptions;
import dev.langchain4j.data.segment.TextSegment;
import dev.langchain4j.model.embedding.EmbeddingModel;
import dev.langchain4j.model.embedding.onnx.AbstractInProcessEmbeddingModel;
import dev.langchain4j.model.embedding.onnx.OnnxBertBiEncoder;
import dev.langchain4j.model.embedding.onnx.PoolingMode;
import dev.stowage.allocator.BfcOptions;
import dev.stowage.examples.nativememory.Figures.Loaded;
import dev.stowage.memory.device.HostMemory;
import dev.stowage.onnxruntime.OnnxRuntimeAllocator;
import dev.stowage.onnxruntime.RunPermit;
import dev.stowage.onnxruntime.SessionMemory;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** Embeddings of documents with langchain4j, in eight threads; a document has eight segments. */
public final class EmbeddingService {

  private static final int THREADS = 8;
  private static final int SEGMENTS = 8;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(1);

  private EmbeddingService() {}

  /** An embedding model with an encoder of the caller; langchain4j keeps the encoder's options. */
  private static final class EncoderModel extends AbstractInProcessEmbeddingModel {

    private final OnnxBertBiEncoder encoder;

    EncoderModel(OnnxBertBiEncoder encoder, Executor executor) {
      super(executor);
      this.encoder = encoder;
    }

    @Override
    protected OnnxBertBiEncoder model() {
      return encoder;
    }
  }

  /**
   * Compares langchain4j's defaults with admission.
   *
   * @param args optionally the number of documents
   */
  public static void main(String[] args) throws Exception {
    Comparison.main(
        args, EmbeddingService.class, 64, List.of("defaults", "stowage"), EmbeddingService::serve);
  }

  private static Figures serve(String way, int requests) throws Exception {
    MiniLm files = MiniLm.unpacked();
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      return way.equals("stowage")
          ? serveAdmitted(files, threads, requests)
          : serveDefaults(files, threads, requests);
    }
  }

  private static Figures serveDefaults(MiniLm files, Executor threads, int requests)
      throws Exception {
    EmbeddingModel model =
        new EncoderModel(
            new OnnxBertBiEncoder(files.model(), files.tokenizer(), PoolingMode.MEAN), threads);
    Loaded loaded = Loaded.now();
    return loaded.after(embed(model, requests));
  }

  private static Figures serveAdmitted(MiniLm files, Executor threads, int requests)
      throws Exception {
    OrtEnvironment environment = OrtEnvironment.getEnvironment();
    try (HostMemory host = HostMemory.open();
        OnnxRuntimeAllocator allocator =
            OnnxRuntimeAllocator.register(
                "langchain4j", host, BfcOptions.expandable().withLimit(MiniLm.LIMIT_BYTES));
        SessionOptions options = new SessionOptions();
        SessionMemory memory = allocator.openSession("minilm", 0, Long.MAX_VALUE)) {
      allocator.configure(options);
      try (OrtSession session =
              memory.load(
                  MiniLm.LOADING_BYTES,
                  LONGEST_WAIT,
                  () -> environment.createSession(files.model().toString(), options));
          InputStream tokenizer = Files.newInputStream(files.tokenizer())) {
        EmbeddingModel model =
            new EncoderModel(
                new OnnxBertBiEncoder(environment, session, tokenizer, PoolingMode.MEAN),
                run -> threads.execute(() -> admitted(memory, run)));
        Loaded loaded = Loaded.now();
        int served = embed(model, requests);
        memory.check();
        allocator.trim();
        return loaded.after(served);
      }
    }
  }

  private static void admitted(SessionMemory memory, Runnable run) {
    try (RunPermit _ = memory.admit(MiniLm.LARGEST_RUN_BYTES, LONGEST_WAIT)) {
      run.run();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static int embed(EmbeddingModel model, int requests) throws Exception {
    return Requests.serve(
        THREADS,
        requests,
        number -> {
          List<TextSegment> segments =
              IntStream.range(0, SEGMENTS)
                  .mapToObj(segment -> TextSegment.from(MiniLm.longText(number + segment)))
                  .toList();
          return model.embedAll(segments).content();
        });
  }
}
