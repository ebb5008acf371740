package dev.stowage.testing.browser;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.util.Base64;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The data of a page. */
public final class PageContent {

  private PageContent() {}

  /** {@return the data of a page: base64 of a raw deflate stream of JSON} */
  public static JsonNode of(String page) {
    String start = " id=\"data\">";
    int from = page.indexOf(start) + start.length();
    byte[] packed =
        Base64.getDecoder().decode(page.substring(from, page.indexOf("</script>", from)));
    InputStream in = new InflaterInputStream(new ByteArrayInputStream(packed), new Inflater(true));
    return JsonMapper.shared().readTree(in);
  }
}
