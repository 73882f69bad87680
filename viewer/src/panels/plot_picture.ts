// A plot as a picture with its legend on top, on the paper of the page.

interface Named {
  label: string;
  unit: string;
  color: string;
}

const LINE = 18;

export function plotPicture(plot: HTMLCanvasElement, curves: Named[], paper: string): HTMLCanvasElement {
  const ratio = window.devicePixelRatio || 1;
  const canvas = document.createElement('canvas');
  canvas.width = plot.width;
  canvas.height = plot.height + (curves.length * LINE + 10) * ratio;
  const context = canvas.getContext('2d');
  if (!context) return canvas;
  context.fillStyle = paper || '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.font = `${12 * ratio}px system-ui, sans-serif`;
  context.textBaseline = 'middle';
  curves.forEach(({ label, unit, color }, i) => {
    context.fillStyle = color;
    context.fillText(unit ? `${label} (${unit})` : label, 12 * ratio, (8 + LINE * (i + 0.5)) * ratio);
  });
  context.drawImage(plot, 0, canvas.height - plot.height);
  return canvas;
}
