package dev.stowage.cli.picture;

import dev.stowage.cli.plan.Plan;
import dev.stowage.cli.text.ByteUnit;
import dev.stowage.cli.text.Numbers;
import java.io.IOException;
import java.io.Writer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Plans as one HTML page that needs nothing else: no network, no other file. */
public final class PlanPage {

  /*
   * page.html is the page with ${...} where something is filled in. It is gone through once, so
   * that what is filled in is never taken for a place to fill in something else.
   *
   *   page.css    how it looks, light and dark
   *   plan.js     the data as columns, and numbers as text
   *   map.js      paints the rectangles, and tells which one is at a point
   *   chart.js    axes, load curve and lower bound, by Apache ECharts
   *   page.js     the switch, hovering, the keys
   */

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z.]+)}");

  private final PlanPicture picture;
  private final Writer out;

  private PlanPage(PlanPicture picture, Writer out) {
    this.picture = picture;
    this.out = out;
  }

  /**
   * Writes a page that says UTF-8 of itself.
   *
   * @param picture what it shows; the best plan first
   * @param out where it goes; stays open
   * @throws IOException if {@code out} throws it
   */
  public static void write(PlanPicture picture, Writer out) throws IOException {
    new PlanPage(picture, out).write();
  }

  private void write() throws IOException {
    String page = PictureText.of("page.html");
    Matcher place = PLACE.matcher(page);
    int written = 0;
    while (place.find()) {
      out.append(page, written, place.start());
      fillIn(place.group(1));
      written = place.end();
    }
    out.append(page, written, page.length());
  }

  private void fillIn(String name) throws IOException {
    switch (name) {
      case "title" -> out.append(MarkupText.escaped(picture.title()));
      case "options" -> writeOptions();
      case "rows" -> writeRows();
      case "objects" -> out.append(objectsBound());
      case "data" -> PageData.write(picture, out);
      case "echarts" -> out.append(PictureText.echarts());
      default -> out.append(PictureText.of(name));
    }
  }

  private void writeOptions() throws IOException {
    for (int i = 0; i < picture.plans().size(); i++) {
      Plan.Offsets plan = picture.plans().get(i);
      out.append("<option value=\"" + i + "\"" + (i == picture.bestIndex() ? " selected>" : ">"))
          .append(plan.strategy().name())
          .append(": ")
          .append(ByteUnit.human(plan.assignment().totalBytes()))
          .append("</option>\n");
    }
  }

  private void writeRows() throws IOException {
    long lowerBound = picture.bounds().offsetsBytes();
    long naive = picture.problem().naiveBytes();
    for (Plan.Offsets plan : picture.plans()) {
      long total = plan.assignment().totalBytes();
      out.append("<tr><th scope=\"row\">" + plan.strategy().name() + "</th><td>")
          .append(plan.strategy().offsetsFollowFromObjects() ? "objects" : "offsets")
          .append("</td><td>")
          .append(ByteUnit.exact(total) + "</td><td>")
          .append(Numbers.percent(total - lowerBound, lowerBound) + "</td><td>")
          .append(Numbers.percent(naive - total, naive) + "</td></tr>\n");
    }
  }

  private String objectsBound() {
    String bound = ByteUnit.exact(picture.bounds().objectsBytes());
    return "Shared objects take at least " + bound + ".";
  }
}
