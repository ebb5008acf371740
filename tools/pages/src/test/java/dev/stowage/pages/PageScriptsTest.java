package dev.stowage.pages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.stowage.testing.Seeds;
import dev.stowage.testing.browser.Browser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The scripts of pages against naive models, on random problems. */
@Tag("full")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class PageScriptsTest {

  @RegisterExtension final Browser browser = new Browser();

  @BeforeAll
  void prepare() {
    browser.clear();
  }

  static LongStream seeds() {
    return Seeds.of(60);
  }

  /** A rectangle of steps and bytes; each one is a record of its own. */
  private record Box(int first, int end, int low, int high) {

    int bytes() {
      return high - low;
    }
  }

  /** The visible range and the size of an image. */
  private record Scale(int left, int right, int bottom, int top, int width, int height) {

    /** {@return the position of a step, in pixels} */
    double x(int step) {
      return (step - left) * (double) width / (right - left);
    }

    /** {@return the position of a byte, in pixels from the top} */
    double y(int bytes) {
      return height - (bytes - bottom) * (double) height / (top - bottom);
    }

    /** {@return true if a box is within some pixels of a pixel; with a negative number, over it} */
    boolean isNear(Box box, int px, int py, double pixels) {
      return x(box.first()) - pixels < px + 1
          && x(box.end()) + pixels > px
          && y(box.high()) - pixels < py + 1
          && y(box.low()) + pixels > py;
    }

    boolean covers(Box box, int px, int py, double margin) {
      return x(box.first()) + margin <= px
          && px + 1 <= x(box.end()) - margin
          && y(box.high()) + margin <= py
          && py + 1 <= y(box.low()) - margin;
    }

    boolean isVisible(Box box) {
      return box.first() < right && box.end() > left && box.low() < top && box.high() > bottom;
    }
  }

  /** Edges are rounded to pixels, and a gap of a pixel is between neighbours. */
  private static final double MARGIN = 1.6;

  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  @SuppressWarnings("ReferenceEquality") // equal boxes are different records
  void paintBoxes_anyBoxes_showsARecordThatCoversEachPixel(long seed) throws IOException {
    Random random = new Random(seed);
    Scale scale = scale(random);
    List<Box> boxes =
        IntStream.range(0, 1 + random.nextInt(40)).mapToObj(i -> box(random, scale)).toList();
    int[] records = painted(boxes, scale);
    boolean[] isShown = new boolean[boxes.size()];
    for (int py = 0; py < scale.height(); py++) {
      for (int px = 0; px < scale.width(); px++) {
        int record = records[py * scale.width() + px];
        for (Box box : boxes) {
          if (scale.covers(box, px, py, MARGIN)) {
            assertThat(record).as("pixel %s, %s is within %s", px, py, box).isNotNegative();
            assertThat(boxes.get(record).bytes()).isLessThanOrEqualTo(box.bytes());
          }
        }
        if (record >= 0) {
          isShown[record] = true;
          assertThat(scale.isNear(boxes.get(record), px, py, 1)).isTrue();
        }
      }
    }
    for (int i = 0; i < boxes.size(); i++) {
      Box box = boxes.get(i);
      if (scale.isVisible(box) && !isShown[i]) {
        assertThat(boxes)
            .as("boxes over %s, which has no pixel", box)
            .anyMatch(other ->
                other != box
                    && other.bytes() <= box.bytes()
                    && overlapsWithinPixels(scale, box, other));
      }
    }
  }

  private static boolean overlapsWithinPixels(Scale scale, Box a, Box b) {
    double pixels = 2;
    return scale.x(a.first()) - pixels < scale.x(b.end())
        && scale.x(b.first()) - pixels < scale.x(a.end())
        && scale.y(a.high()) - pixels < scale.y(b.low())
        && scale.y(b.high()) - pixels < scale.y(a.low());
  }

  private static Scale scale(Random random) {
    int left = random.nextInt(50);
    int bottom = random.nextInt(3) == 0 ? random.nextInt(500) : 0;
    return new Scale(
        left,
        left + 1 + random.nextInt(random.nextBoolean() ? 20 : 2000),
        bottom,
        bottom + 1 + random.nextInt(random.nextBoolean() ? 30 : 5000),
        1 + random.nextInt(40),
        1 + random.nextInt(40));
  }

  private static Box box(Random random, Scale scale) {
    int first = random.nextInt(scale.right() + 5);
    int low = random.nextInt(scale.top() + 5);
    int steps = random.nextInt(4) == 0 ? scale.right() : 5;
    int bytes = random.nextInt(4) == 0 ? scale.top() : 8;
    return new Box(first, first + 1 + random.nextInt(steps), low, low + 1 + random.nextInt(bytes));
  }

  private int[] painted(List<Box> boxes, Scale scale) throws IOException {
    String pixels =
        browser.run(
            PictureText.of("axes.js")
                + PictureText.of("boxes.js")
                + """
                const [left, right, bottom, top, width, height] = arguments[0];
                const boxes = arguments[1];
                const column = (i) => Float64Array.from(boxes, (box) => box[i]);
                const sorted = inPaintingOrder({
                  record: Int32Array.from(boxes.keys()),
                  first: column(0),
                  end: column(1),
                  low: new Float64Array(boxes.length),
                  high: Float64Array.from(boxes, (box) => box[3] - box[2]),
                });
                const canvas = Object.assign(document.createElement("canvas"), { width, height });
                const context = canvas.getContext("2d");
                const range = { left, right, bottom, top };
                const layout = { range, x: scaleOf(left, right, 0, width), y: scaleOf(bottom, top, height, 0) };
                const state = { tone: boxes.map((_, i) => i), live: boxes.map(() => 0) };
                const palette = { text: 13, boxes: boxes.map((_, i) => `rgb(${i + 1} 0 0)`) };
                paintBoxes(context, sorted, placedBoxes(sorted, column(2)), layout, state, palette);
                const { data } = context.getImageData(0, 0, width, height);
                return Array.from({ length: width * height }, (_, i) => data[4 * i] - 1).join(" ");
                """,
            List.of(
                scale.left(),
                scale.right(),
                scale.bottom(),
                scale.top(),
                scale.width(),
                scale.height()),
            boxes.stream()
                .map(box -> List.of(box.first(), box.end(), box.low(), box.high()))
                .toList());
    return Arrays.stream(pixels.split(" ")).mapToInt(Integer::parseInt).toArray();
  }

  /** Each column of pixels has the range of the values of the steps that start in it. */
  @ParameterizedTest(name = "-Dtests.seed={0}")
  @MethodSource("seeds")
  void columnsOf_anyCurve_hasTheRangeOfEachPixel(long seed) throws IOException {
    Random random = new Random(seed);
    int width = 1 + random.nextInt(60);
    int from = random.nextInt(100);
    int to = from + 1 + random.nextInt(300);
    List<Integer> events = new ArrayList<>();
    List<Integer> most = new ArrayList<>();
    int event = random.nextInt(50);
    for (int i = random.nextInt(200); i > 0; i--) {
      events.add(event);
      most.add(random.nextInt(100));
      event += 1 + random.nextInt(5);
    }
    List<String> expected = new ArrayList<>();
    for (int px = 0; px <= width; px++) {
      int low = Integer.MAX_VALUE;
      int high = Integer.MIN_VALUE;
      for (int i = 0; i < events.size(); i++) {
        int end = i + 1 < events.size() ? events.get(i + 1) : event;
        long start =
            Math.clamp(Math.round((events.get(i) - from) * (double) width / (to - from)), 0, width);
        boolean isVisible = events.get(i) < to && (end > from || i + 1 == events.size());
        if (isVisible && start == px) {
          low = Math.min(low, most.get(i));
          high = Math.max(high, most.get(i));
        }
      }
      if (low <= high) {
        expected.add(px + ":" + low + ":" + high);
      }
    }
    String columns =
        browser.run(
            PictureText.of("model.js")
                + PictureText.of("axes.js")
                + PictureText.of("curves.js")
                + """
                const [from, to, width, stop, event, max] = arguments;
                const area = { x: 0, y: 0, width, height: 10 };
                const x = scaleOf(from, to, 0, width);
                return columnsOf({ event, max }, stop, x, area)
                    .map(({ x0, low, high }) => `${x0}:${low}:${high}`).join(" ");
                """,
            from,
            to,
            width,
            event,
            events,
            most);
    assertThat(columns).isEqualTo(String.join(" ", expected));
  }
}
