package dev.stowage.cli.picture;

import java.io.IOException;
import java.io.Writer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A template of an HTML page that works without a network and other files. */
final class PageTemplate {

  /*
   * page.html is the frame of all pages. Its parts are named ${...}. Each file is scanned once, so that text
   * within a part cannot name another one.
   *
   *   page.css     the style, light and dark
   *   numbers.js   numbers as text
   *   map.js       paints the rectangles and finds the one at a point
   *   chart.js     the common settings of Apache ECharts
   *   view.js      tooltips, zoom, keys
   */

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z.]+)}");

  /** The content of the parts that are not files. */
  interface Filling {

    /**
     * Writes the content of a part.
     *
     * @param place the name of the part
     */
    void fillIn(String place) throws IOException;
  }

  private final Writer out;
  private final Filling filling;

  PageTemplate(Writer out, Filling filling) {
    this.out = out;
    this.filling = filling;
  }

  /** Writes a file of this package with the content of its parts. */
  void write(String resource) throws IOException {
    String text = PictureText.of(resource);
    Matcher place = PLACE.matcher(text);
    int written = 0;
    while (place.find()) {
      out.append(text, written, place.start());
      fillIn(place.group(1));
      written = place.end();
    }
    out.append(text, written, text.length());
  }

  private void fillIn(String name) throws IOException {
    if (name.equals("echarts")) {
      out.append(PictureText.echarts());
    } else if (name.endsWith(".css") || name.endsWith(".js")) {
      out.append(PictureText.of(name));
    } else {
      filling.fillIn(name);
    }
  }
}
