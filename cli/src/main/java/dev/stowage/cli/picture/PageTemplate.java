package dev.stowage.cli.picture;

import java.io.IOException;
import java.io.Writer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An HTML page that needs nothing else, no network and no other file, put together from files. */
final class PageTemplate {

  /*
   * page.html is the page around what differs, with ${...} where something is filled in. Each file
   * is gone through once, so that what is filled in is never taken for a place to fill in something
   * else.
   *
   *   page.css     how it looks, light and dark
   *   numbers.js   numbers as text
   *   map.js       paints the rectangles, and tells which one is at a point
   *   chart.js     what charts by Apache ECharts have in common
   *   view.js      hovering, zooming, the keys
   */

  private static final Pattern PLACE = Pattern.compile("\\$\\{([a-z.]+)}");

  /** What fills in the places that the files themselves do not. */
  interface Filling {

    /**
     * Writes what belongs in a place.
     *
     * @param place its name
     */
    void fillIn(String place) throws IOException;
  }

  private final Writer out;
  private final Filling filling;

  PageTemplate(Writer out, Filling filling) {
    this.out = out;
    this.filling = filling;
  }

  /** Writes a file of ours with its places filled in. */
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
