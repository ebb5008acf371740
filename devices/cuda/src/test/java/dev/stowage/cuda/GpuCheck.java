package dev.stowage.cuda;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.PrintWriter;
import java.util.Optional;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/**
 * The contract of devices, sessions of ONNX Runtime and measurements, for a machine with a GPU and
 * a Java runtime, and without Maven. It is built with {@code ./mvnw -Dquick -DskipTests -pl
 * devices/cuda -am package}, and runs with
 *
 * <pre>{@code
 * java --enable-native-access=ALL-UNNAMED -cp 'devices/cuda/target/test-classes:devices/cuda/target/classes:devices/cuda/target/lib/*' \
 *     dev.stowage.cuda.GpuCheck
 * }</pre>
 *
 * <p>Sessions need {@code onnxruntime_gpu}, in front of the class path, and the libraries of CUDA
 * that it names. Without it, a sentence says so.
 */
final class GpuCheck {

  private GpuCheck() {}

  /**
   * Checks and measures. The exit code is 0 if the tests pass, 1 if not, and 2 if there is no
   * device.
   *
   * @param arguments {@code --figures} for measurements only
   */
  public static void main(String... arguments) throws NoCudaException {
    Optional<String> absence = CudaDevices.find().absence();
    if (absence.isPresent()) {
      System.err.println(absence.get());
      System.exit(2);
    }
    CudaDevices.find().list().forEach(System.out::println);
    boolean figuresOnly = arguments.length > 0 && arguments[0].equals("--figures");
    boolean kept = figuresOnly || keepsTheContract();
    System.out.println(figures(CudaLibrary.INSTALLED, GpuScale.full()));
    System.exit(kept ? 0 : 1);
  }

  private static boolean keepsTheContract() {
    SummaryGeneratingListener listener = new SummaryGeneratingListener();
    LauncherDiscoveryRequestBuilder request =
        LauncherDiscoveryRequestBuilder.request().selectors(selectClass(CudaGpuTest.class));
    Optional<String> noSessions = NeedsCudaProvider.absence();
    if (noSessions.isEmpty()) {
      request.selectors(selectClass("dev.stowage.cuda.OnnxRuntimeGpuTest"));
    }
    noSessions.ifPresent(System.out::println);
    LauncherFactory.create().execute(request.build(), listener);
    TestExecutionSummary summary = listener.getSummary();
    PrintWriter out = new PrintWriter(System.out, true, System.out.charset());
    summary.printTo(out);
    summary.printFailuresTo(out, 30);
    return summary.getTestsSucceededCount() > 0 && summary.getTotalFailureCount() == 0;
  }

  /** {@return tables in Markdown} */
  static String figures(CudaLibrary library, GpuScale scale) throws NoCudaException {
    try (RawDriver driver = new RawDriver(library, 0);
        CudaDevice fixed = CudaDevice.open(library, 0, CudaOptions.fixed());
        CudaDevice expandable = CudaDevice.open(library, 0, CudaOptions.expandable())) {
      return String.join(
          System.lineSeparator(),
          "## %s, Java %s%n".formatted(fixed.name(), Runtime.version()),
          new HeapCopyFigures(fixed, driver, scale).measure(),
          new CopyFigures(fixed, driver, scale).measure(),
          new GrowthFigures(expandable, driver, scale).measure(),
          new PairFigures(fixed, expandable, driver, scale).measure(),
          QueuedOrder.check(expandable, scale.copyBytes() >> 4),
          "## The copies, in an expandable region%n".formatted(),
          new CopyFigures(expandable, driver, scale).measure());
    }
  }
}
