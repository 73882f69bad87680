// validate.mjs FILE...: what the Khronos validator says about files of glTF, as a JSON list of
// {file, errors, warnings, infos, hints, messages, info}.
import fs from 'node:fs';
import validator from 'gltf-validator';

const reports = [];
for (const file of process.argv.slice(2)) {
  const report = await validator.validateBytes(new Uint8Array(fs.readFileSync(file)), { uri: file });
  const { numErrors, numWarnings, numInfos, numHints, messages } = report.issues;
  const issues = { errors: numErrors, warnings: numWarnings, infos: numInfos, hints: numHints, messages };
  reports.push({ file, ...issues, info: report.info });
}
console.log(JSON.stringify(reports));
