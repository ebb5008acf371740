/** Programs that build the download. */
@NullMarked
package dev.stowage.dist;

import org.jspecify.annotations.NullMarked;
